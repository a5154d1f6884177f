"""The game and its states for OpenSpiel."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from royalcrypt.envs.openspiel import tables
from royalcrypt.envs.openspiel.observer import Observer
from royalcrypt.envs.openspiel.tables import CODES_AT, WEIGHTS_AT, first_in, state_in
from royalcrypt.envs.openspiel.text import DRAWN, STEP_NAMES, board_text, is_draw, step_by_chance
from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import start_of
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import (
    CARDS,
    CHANCE,
    I2,
    KINDS,
    NOBODY,
    SEATS,
    SERVANTS,
    TYPES,
    State,
    numbers_of,
)
from royalcrypt.rules.reveal import ROUNDS, row_length
from royalcrypt.rules.scoring import contenders
from royalcrypt.search.compilation import compiled

spiel: Any = pyspiel
SpielGame: Any = spiel.Game
SpielState: Any = spiel.State
NAME = "python_royal_crypt"
FEWEST = 2
WIN, MARGIN = "win", "margin"
RETURNS = (WIN, MARGIN)
DEFAULTS: dict[str, Any] = {"players": FEWEST, "collectors": "A" * TYPES, "leader": 0, "returns": WIN}
TERMINAL = int(spiel.PlayerId.TERMINAL)
MOST_POINTS = 200
"""An upper bound of scores, above the sum of all coins and bonuses."""
MOST_TIES = 20
"""An upper bound of tie-break rounds; fewer than one game in a trillion needs more."""
WORD = 1 << 32
cached_compiled: Any = cache(compiled)
"""``compiled`` with a faster lookup, because every step needs it."""

GAME_TYPE = spiel.GameType(
    short_name=NAME,
    long_name="Royal Crypt",
    dynamics=spiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=spiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=spiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=spiel.GameType.Utility.GENERAL_SUM,
    reward_model=spiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=FEWEST,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=DEFAULTS,
)


class SpielSettings(NamedTuple):
    players: int
    collectors: str
    leader: int
    returns: str


def settings_from(parameters: dict[str, Any]) -> SpielSettings:
    """The settings from game parameters; raises Refusal for a parameter out of range."""
    found = SpielSettings(**(DEFAULTS | parameters))
    details: dict[str, Any] = {"where": NAME}
    for name, number, least, most in (
        ("players", found.players, FEWEST, SEATS),
        ("leader", found.leader, 0, found.players - 1),
    ):
        if not least <= number <= most:
            details |= {"needed": "whole", "least": least, "most": most}
            raise Refusal(Reason.WRONG_SETTING, name=name, found=str(number), **details)
    if not is_sides(found.collectors):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=found.collectors)
    if found.returns not in RETURNS:
        details |= {"needed": "one_of", "values": ", ".join(RETURNS)}
        raise Refusal(Reason.WRONG_SETTING, name="returns", found=found.returns, **details)
    return found


def most_decisions(start: State) -> int:
    """An upper bound of decisions: three per turn, one per offer, and two per flipped card."""
    in_a_round = turns_in_round(start) * SERVANTS + 2 * start.seats
    return ROUNDS[start.seats] * in_a_round + 2 * CARDS + start.seats


def most_outcomes(start: State) -> int:
    """An upper bound of chance outcomes: cards, dice, re-rolls and ties."""
    dice = start.seats * SERVANTS
    return ROUNDS[start.seats] * (row_length(start) + 1 + dice) + CARDS + MOST_TIES * dice


class RoyalCrypt(SpielGame):
    """The OpenSpiel game for two to four players. Every state starts as a copy of ``start``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.settings = settings_from(params or {})
        start = start_of(self.settings.players, self.settings.collectors, self.settings.leader)
        self.most_outcomes = most_outcomes(start)
        self.start: Any = np.zeros(tables.LENGTH, I2)
        self.start[: tables.STATE_LENGTH] = numbers_of(start)
        self.openings = compiled(tables.begin)(self.start)
        is_margin = self.settings.returns == MARGIN
        info = spiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=KINDS,
            num_players=self.settings.players,
            min_utility=-MOST_POINTS if is_margin else 0,
            max_utility=MOST_POINTS if is_margin else 1,
            max_game_length=most_decisions(start),
        )
        SpielGame.__init__(self, GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "RoyalCryptState":
        return RoyalCryptState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.most_outcomes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer; parameters are not supported."""
        if params:
            raise spiel.SpielError(f"{NAME}: observers take no parameters")
        wanted = iig_obs_type or spiel.IIGObservationType(perfect_recall=False)
        return Observer(wanted, self.settings, self.max_game_length() + self.most_outcomes)


class RoyalCryptState(SpielState):
    """A game state as one array. OpenSpiel copies and pickles all attributes, so there are few."""

    def __init__(self, game: RoyalCrypt) -> None:
        SpielState.__init__(self, game)
        self.memory = game.start.copy()
        """The table as an array, hidden cards included (see ``tables``)."""
        self.choices = game.openings
        """The number of legal actions or chance outcomes."""
        self.actor = CHANCE

    def current_player(self) -> int:
        return self.actor

    def is_terminal(self) -> bool:
        return self.actor == TERMINAL

    def is_chance_node(self) -> bool:
        return self.actor == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The same result as OpenSpiel's own method, which calls back into Python four times."""
        if player is None or player == self.actor:
            return self._legal_actions(self.actor)
        return SpielState.legal_actions(self, player)

    def _legal_actions(self, _: int) -> list[int]:
        """The legal actions of a player, or the chance outcomes; computed by the last step."""
        return self.memory[CODES_AT : CODES_AT + self.choices].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.memory[WEIGHTS_AT : WEIGHTS_AT + self.choices].tolist()
        total = sum(weights)
        return list(zip(self._legal_actions(CHANCE), [weight / total for weight in weights], strict=True))

    def _apply_action(self, action: int) -> None:
        choices = cached_compiled(tables.advance)(self.memory, action)
        if choices == tables.ILLEGAL:
            raise spiel.SpielError(f"{NAME}: {action} is no legal action or outcome here")
        self.choices = choices
        actor = self.memory.item(tables.ACTOR_AT)
        self.actor = TERMINAL if actor == NOBODY else actor

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return STEP_NAMES[step_by_chance(state_in(self.memory).phase, action)]
        return STEP_NAMES[action]

    def returns(self) -> list[float]:
        """The returns: shares of the win, or each score minus the best other score; 0 before the end."""
        if self.actor != TERMINAL:
            return [0.0] * self.num_players()
        state = state_in(self.memory)
        if self.get_game().settings.returns == MARGIN:
            return margins(state)
        return [state.players[seat].is_contender / contenders(state) for seat in range(state.seats)]

    def __str__(self) -> str:
        return board_text(state_in(self.memory))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "RoyalCryptState":
        """A random state, uniformly sampled from those that this player cannot distinguish from this one.

        Few samples are rejected: only a flip of one of equal cards, or a tie, can exclude one.
        """
        other = self.memory.copy()
        while True:
            compiled(tables.redeal_hidden)(
                self.memory, other, player, int(sampler() * WORD), int(sampler() * WORD)
            )
            other_state = self._replayed(tables.story_in(other))
            if other_state is not None:
                return other_state

    def _replayed(self, story: list[int]) -> "RoyalCryptState | None":
        """The state after replaying these steps; None if the player could distinguish it from this state.

        A difference is visible if another card is flipped, or if other seats are tied at the end.
        """
        replay = self.get_game().new_initial_state()
        for number, (action, step) in enumerate(zip(self.history(), story, strict=True)):
            if replay.actor == TERMINAL:
                return None
            replay.apply_action(step - DRAWN if is_draw(step) else action)
            if replay.memory.item(tables.STORY_AT + number) != step:
                return None
        return replay if first_in(replay.memory) == first_in(self.memory) else None


def margins(state: State) -> list[float]:
    scores = [state.players[seat].score for seat in range(state.seats)]
    return [float(score - max(scores[:seat] + scores[seat + 1 :])) for seat, score in enumerate(scores)]
