"""Alembic runs this on the connection and in the transaction that ``upgrade`` passes."""

from alembic import context

from royalcrypt.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
context.run_migrations()
