"""The game as an environment for Gymnasium, PettingZoo and OpenSpiel.

If Gymnasium is installed, importing this package registers ``RoyalCrypt/OnlyChild-v1``.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from royalcrypt.envs.registration import register_environments

    register_environments()
