"""The game and its states, as OpenSpiel asks for them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pyspiel

from royalcrypt.envs.openspiel.boards import board_text
from royalcrypt.envs.openspiel.observer import Observer
from royalcrypt.envs.openspiel.settings import DEFAULTS, FEWEST, MARGIN, NAME, Settings, settings_from
from royalcrypt.envs.openspiel.tables import (
    ACTOR_AT,
    CODES_AT,
    ILLEGAL,
    STORY_AT,
    WEIGHTS_AT,
    advance,
    begin,
    first_in,
    imagine,
    memory_of,
    state_in,
    story_in,
)
from royalcrypt.envs.openspiel.words import DRAWN, WORDS, is_draw, step_by_chance
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import CARDS, CHANCE, KINDS, NOBODY, SEATS, SERVANTS, State
from royalcrypt.rules.reveal import ROUNDS, row_length
from royalcrypt.rules.scoring import contenders
from royalcrypt.search.twins import compiled

spiel: Any = pyspiel
SpielGame: Any = spiel.Game
SpielState: Any = spiel.State
TERMINAL = int(spiel.PlayerId.TERMINAL)
MOST_POINTS = 200
"""More than all coins and bonuses together."""
TIES = 20
"""How often at most a tie is rolled for; that it takes more has a chance below one in a trillion."""
WORD = 1 << 32
twin_of: Any = cache(compiled)
"""The same, found sooner: it is asked for at every step."""

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


def most_decisions(start: State) -> int:
    """Of players: three a turn, one for each window, and two for each card that is flipped."""
    in_a_round = turns_in_round(start) * SERVANTS + 2 * start.seats
    return ROUNDS[start.seats] * in_a_round + 2 * CARDS + start.seats


def most_outcomes(start: State) -> int:
    """Of chance: cards, dice, re-rolls and ties."""
    dice = start.seats * SERVANTS
    return ROUNDS[start.seats] * (row_length(start) + 1 + dice) + CARDS + TIES * dice


def game_info(settings: Settings, start: State) -> Any:
    is_margin = settings.returns == MARGIN
    return spiel.GameInfo(
        num_distinct_actions=ACTIONS,
        max_chance_outcomes=KINDS,
        num_players=settings.players,
        min_utility=-MOST_POINTS if is_margin else 0,
        max_utility=MOST_POINTS if is_margin else 1,
        max_game_length=most_decisions(start),
    )


class RoyalCrypt(SpielGame):
    """Crypt for two to four. Parameters are checked here; every state begins as a copy of ``start``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.settings = settings_from(params or {})
        start = self.settings.start()
        self.most_outcomes = most_outcomes(start)
        self.start = memory_of(start)
        self.openings = compiled(begin)(self.start)
        SpielGame.__init__(self, GAME_TYPE, game_info(self.settings, start), params or {})

    def new_initial_state(self) -> "RoyalCryptState":
        return RoyalCryptState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.most_outcomes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Observers have no parameters."""
        if params:
            raise spiel.SpielError(f"{NAME}: observers take no parameters")
        wanted = iig_obs_type or spiel.IIGObservationType(perfect_recall=False)
        return Observer(wanted, self.settings, self.max_game_length() + self.most_outcomes)


class RoyalCryptState(SpielState):
    """Thin over ``rules``. OpenSpiel copies and pickles all that a state holds, so that is little."""

    def __init__(self, game: RoyalCrypt) -> None:
        SpielState.__init__(self, game)
        self.memory = game.start.copy()
        """The table (``tables``): hidden cards included, so not for players."""
        self.choices = game.openings
        """How many actions or outcomes the table lists."""
        self.actor = CHANCE

    def current_player(self) -> int:
        return self.actor

    def is_terminal(self) -> bool:
        return self.actor == TERMINAL

    def is_chance_node(self) -> bool:
        return self.actor == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Just what OpenSpiel's own answers, which asks back four times before it does."""
        if player is None or player == self.actor:
            return self._legal_actions(self.actor)
        return SpielState.legal_actions(self, player)

    def _legal_actions(self, _: int) -> list[int]:
        """Listed with the last step: a player's actions or the outcomes of chance."""
        return self.memory[CODES_AT : CODES_AT + self.choices].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.memory[WEIGHTS_AT : WEIGHTS_AT + self.choices].tolist()
        total = sum(weights)
        return list(zip(self._legal_actions(CHANCE), [weight / total for weight in weights], strict=True))

    def _apply_action(self, action: int) -> None:
        choices = twin_of(advance)(self.memory, action)
        if choices == ILLEGAL:
            raise spiel.SpielError(f"{NAME}: {action} is no legal action or outcome here")
        self.choices = choices
        actor = self.memory.item(ACTOR_AT)
        self.actor = TERMINAL if actor == NOBODY else actor

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return WORDS[step_by_chance(state_in(self.memory).phase, action)]
        return WORDS[action]

    def returns(self) -> list[float]:
        """Shares of the win, or by how much each is ahead of the best of the others; before the end 0."""
        if self.actor != TERMINAL:
            return [0.0] * self.num_players()
        state = state_in(self.memory)
        if self.get_game().settings.returns == MARGIN:
            return margins(state)
        return [state.players[seat].is_contender / contenders(state) for seat in range(state.seats)]

    def __str__(self) -> str:
        return board_text(state_in(self.memory))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "RoyalCryptState":
        """Another state that this player could not tell from this one, each as likely as the others.

        Seldom more than one try is needed: only a flip of one of equal cards, or a tie, can give it away.
        """
        other = self.memory.copy()
        while True:
            compiled(imagine)(self.memory, other, player, int(sampler() * WORD), int(sampler() * WORD))
            twin = self._retold(story_in(other))
            if twin is not None:
                return twin

    def _retold(self, story: list[int]) -> "RoyalCryptState | None":
        """The same steps but for cards drawn as this story has them; None if the player could tell.

        That another card is flipped would be seen, and that others are tied for the first place at the end.
        """
        twin = self.get_game().new_initial_state()
        for number, (action, step) in enumerate(zip(self.history(), story, strict=True)):
            if twin.actor == TERMINAL:
                return None
            twin.apply_action(step - DRAWN if is_draw(step) else action)
            if twin.memory.item(STORY_AT + number) != step:
                return None
        return twin if first_in(twin.memory) == first_in(self.memory) else None


def margins(state: State) -> list[float]:
    scores = [state.players[seat].score for seat in range(state.seats)]
    return [float(score - max(scores[:seat] + scores[seat + 1 :])) for seat, score in enumerate(scores)]
