"""Pictures for notebooks: what a view tells, drawn as SVG without anything from elsewhere."""

from royalcrypt.play.picture.sheet import record_sheet
from royalcrypt.play.picture.table import table_picture

__all__ = ["record_sheet", "table_picture"]
