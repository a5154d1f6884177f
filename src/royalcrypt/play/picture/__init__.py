"""Pictures for notebooks: tables as SVG without references to other files, records as HTML."""

from royalcrypt.play.picture.table import record_sheet, table_picture

__all__ = ["record_sheet", "table_picture"]
