"""The game as an environment, for three worlds of research: Gymnasium, PettingZoo and OpenSpiel.

Where Gymnasium is installed, it knows ``RoyalCrypt/OnlyChild-v1`` once this package is imported.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from royalcrypt.envs.registration import register_environments

    register_environments()
