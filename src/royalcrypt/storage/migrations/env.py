"""Alembic's environment script; runs on the connection and transaction that ``upgrade`` passes."""

from alembic import context

from royalcrypt.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
context.run_migrations()
