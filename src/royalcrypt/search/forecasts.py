"""Forecasts for a viewer: exact where that is feasible, otherwise by the value network.

The last round is exact on its last turn and afterwards; in solo games, also before the Ghost's dice.
Another player's last turn is computed from the viewer's knowledge: exact only if both know the same cards.
In earlier rounds the dice of a Collect are enumerated, and the value network rates the results.
"""

from collections.abc import Iterator
from dataclasses import replace

from royalcrypt.rules.actions import DONE, PEEK, RECOVER, placed_dice, placed_effort, placed_slot
from royalcrypt.rules.claims import is_last_turn
from royalcrypt.rules.collectors import can_mend, can_peek
from royalcrypt.rules.layout import State, no_options
from royalcrypt.rules.phases import CLAIM, GHOST, NO_ERRAND, OVER
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import legal_actions
from royalcrypt.rules.views import knows
from royalcrypt.search.dice_outcomes import (
    Outcomes,
    any_deal,
    ghost_outcomes,
    hidden_cards,
    hidden_in_row,
    is_collecting,
    roll_outcomes,
    without_deal,
)
from royalcrypt.search.endgame import (
    Prospect,
    blend,
    final_prospect,
    is_in_last_round,
    only_chance_is_left,
    peeked_states,
    title_chances,
)
from royalcrypt.search.network import Evaluator
from royalcrypt.search.rollouts import win_share
from royalcrypt.search.simulation import completed

MOST_OUTCOMES = 256
"""The most Collect results that the network evaluates; with more, the dice stay unrolled."""
ActionCodes = tuple[int, ...]
"""The small decisions of one whole action."""


class Forecaster:
    """Forecasts for one viewer, a seat or SPECTATOR, from states concealed for that viewer."""

    def __init__(self, evaluator: Evaluator, viewer: int) -> None:
        self.evaluator = evaluator
        self.viewer = viewer

    def of(self, known: State) -> Prospect:
        """The forecast for a state between two whole actions."""
        found = self.exact(known)
        if found is not None:
            return found
        return self._after_collect(known) if is_collecting(known) else self._estimate(known)

    def exact(self, known: State) -> Prospect | None:
        """The forecast by full enumeration; None if that would take too long."""
        if known.phase == OVER and not hidden_cards(known):
            return _ended(known)
        if only_chance_is_left(known):
            return final_prospect(known)
        if is_in_last_round(known) and known.phase == GHOST:
            return self._after_ghost(known)
        if is_last_turn_of_game(known):
            found = [prospect for _, prospect in self.last_actions(known)]
            best = max(found, key=lambda prospect: prospect.rank(known.actor))
            return replace(best, is_exact=best.is_exact and self._shares_knowledge_with(known))
        return None

    def _shares_knowledge_with(self, known: State) -> bool:
        """Whether the viewer can predict the actor, because both know the values of the same cards."""
        if known.actor == self.viewer:
            return True
        if can_mend(known, known.actor) or can_peek(known, known.actor):
            return False
        cards = range(known.drawn)
        return all(knows(known, self.viewer, card) == knows(known, known.actor, card) for card in cards)

    def last_actions(self, known: State) -> Iterator[tuple[ActionCodes, Prospect]]:
        """Useful actions on the last turn of the game, with their forecasts.

        Includes flips of the viewer only, because the cards of other players may be hidden.
        """
        for code in _useful_codes(known):
            if code > RECOVER and known.actor != self.viewer:
                continue
            codes, after = completed(known, known.actor, code)
            action = tuple(codes)
            if code == PEEK:
                unseen = hidden_in_row(after)
                if unseen:
                    seen = peeked_states(after, unseen)
                    yield action, blend([(chance, self.of(state)) for chance, state in seen])
            else:
                yield action, self.of(after)

    def _after_ghost(self, known: State) -> Prospect | None:
        found: list[tuple[float, Prospect]] = []
        for chance, state in ghost_outcomes(known):
            prospect = self.exact(state)
            if prospect is None:
                return None
            found.append((chance, prospect))
        return blend(found)

    def _after_collect(self, known: State) -> Prospect:
        """The mean over all rolls, assuming that Idol A is used for the highest value."""
        hidden = hidden_cards(known)

        def choose(dealt: State) -> int:
            return self.evaluator.best_decision(without_deal(dealt, hidden))

        outcomes: Outcomes = [(1.0, any_deal(known))]
        while is_collecting(outcomes[0][1]) and len(outcomes) <= MOST_OUTCOMES:
            outcomes = [
                (chance * part, after)
                for chance, state in outcomes
                for part, after in roll_outcomes(state, choose)
            ]
        return blend((chance, self._estimate(without_deal(after, hidden))) for chance, after in outcomes)

    def _estimate(self, known: State) -> Prospect:
        """The network's estimate: the viewer's win chance, and the rest divided among the other players."""
        predictions = [self.evaluator.prediction(known, seat) for seat in range(scoring_seats(known))]
        scores = tuple(prediction.score for prediction in predictions)
        if known.is_solo:
            return Prospect((), scores, (predictions[0].win,), is_exact=False)
        wins = [prediction.win for prediction in predictions]
        own = wins[self.viewer] if self.viewer < len(wins) else 0.0
        others = sum(wins) - own
        shares = [own if seat == self.viewer else (1 - own) * win / others for seat, win in enumerate(wins)]
        return Prospect(tuple(shares), scores, (), is_exact=False)


def is_last_turn_of_game(known: State) -> bool:
    return (
        is_in_last_round(known) and known.phase == CLAIM and known.errand == NO_ERRAND and is_last_turn(known)
    )


def _useful_codes(known: State) -> list[int]:
    """Small decisions on the last turn of the game, without placements that risk more dice for no gain.

    No player can push out any more: the lowest effort for each number of dice suffices, and where effort 1
    suffices, more dice are useless.
    """
    options, found = no_options(), list[int]()
    tried: set[tuple[int, int]] = set()
    riskless: set[int] = set()
    for index in range(legal_actions(known, options)):
        code = options.codes[index]
        if code < DONE:
            slot, dice = placed_slot(code), placed_dice(code)
            if slot in riskless or (slot, dice) in tried:
                continue
            tried.add((slot, dice))
            if placed_effort(code) == 1:
                riskless.add(slot)
        found.append(code)
    return found


def _ended(state: State) -> Prospect:
    seats = range(scoring_seats(state))
    scores = [state.players[seat].score for seat in seats]
    if state.is_solo:
        return Prospect((), (float(scores[0]),), title_chances({scores[0]: 1.0}), is_exact=True)
    wins = tuple(win_share(state, seat) for seat in seats)
    return Prospect(wins, tuple(map(float, scores)), (), is_exact=True)
