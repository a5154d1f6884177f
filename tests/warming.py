"""``python -m tests.warming``: makes the machine code that tests need, each piece once, on all cores.

Otherwise every one of pytest's workers makes all of it for itself.
"""

import multiprocessing
from collections.abc import Callable
from typing import Any

from royalcrypt.bots.compiling import compile_entry
from royalcrypt.envs.games import kernel as environments  # Registers the types of its parameters.
from royalcrypt.envs.openspiel.observer import observe, observe_secrets, write_story
from royalcrypt.envs.openspiel.tables import advance as advance_table
from royalcrypt.envs.openspiel.tables import begin, copy_known, redeal_hidden
from royalcrypt.lab.dataset.kernels import play_heir_game
from royalcrypt.lab.dataset.rows import trace  # Registers the types of its parameters.
from royalcrypt.lab.round_rollouts import roll_out_round
from royalcrypt.lab.studies.kernel import play_scripts
from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import action_at, apply, count_actions, legal_actions, list_any_time
from royalcrypt.rules.views import conceal, forget
from royalcrypt.search.candidates import list_candidates, play_and_cache, reply
from royalcrypt.search.duel import search_round
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import predict
from royalcrypt.search.perfect_information import best_score
from royalcrypt.search.playouts import play_many
from royalcrypt.search.rollouts import compare
from royalcrypt.search.self_play import compete, generate_samples
from royalcrypt.search.simulation import advance
from royalcrypt.search.tree import run_search

ENTRIES: tuple[Callable[..., Any], ...] = (
    generate_samples,
    play_scripts,
    compare,
    roll_out_round,
    search_round,
    run_search,
    environments.step_games,
    compete,
    reply,
    list_candidates,
    play_heir_game,
    best_score,
    play_many,
    light_action,
    advance_table,
    play_and_cache,
    trace,
    predict,
    environments.observe_one,
    advance,
    apply,
    action_at,
    count_actions,
    legal_actions,
    list_any_time,
    set_up,
    conceal,
    forget,
    draw_chance,
    observe,
    observe_secrets,
    write_story,
    begin,
    copy_known,
    redeal_hidden,
)
"""Those that take long, the longest first."""

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool() as pool:
        pool.map(compile_entry, ENTRIES, chunksize=1)
