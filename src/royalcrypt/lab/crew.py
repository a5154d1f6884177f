"""The documented import path of ``worker_pool``."""

from royalcrypt.lab.worker_pools import worker_pool as crew_of

__all__ = ["crew_of"]
