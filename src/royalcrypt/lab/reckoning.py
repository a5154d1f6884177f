"""What one seat may expect of a moment, by what it knows: the claims to come are those that promise most.

After them the dice of the Collect are gone through in all ways, and the learned values say what the end of
the round is worth; in the last round the end itself is counted. There is no sampling in it but of rows that
are not revealed yet.
"""

from dataclasses import dataclass, field

from royalcrypt.rules import phases
from royalcrypt.rules.actions import PEEK
from royalcrypt.rules.fast_chance import draw_chance, game_key, numbered_key
from royalcrypt.rules.layout import CHANCE, State, copy_of
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.choosing import Chooser
from royalcrypt.search.collecting import hidden_in_row, ways_of_ghost
from royalcrypt.search.endgame import peeked_states
from royalcrypt.search.judge import Judge
from royalcrypt.search.outlook import Action, Outlook
from royalcrypt.search.prospects import Prospect
from royalcrypt.search.sampling import deal_hidden

STRONG = "sovereign"
ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class Hope:
    """What a seat may expect: its share of the win (alone: to be The Magnificent) and its coins."""

    win: float
    score: float

    def value(self, *, is_solo: bool) -> tuple[float, float]:
        """By which the seat chooses, as ``Prospect.rank``."""
        return (self.score, self.win) if is_solo else (self.win, self.score)


def mean_of(parts: list[tuple[float, Hope]]) -> Hope:
    whole = sum(chance for chance, _ in parts)
    return Hope(
        sum(chance * hope.win for chance, hope in parts) / whole,
        sum(chance * hope.score for chance, hope in parts) / whole,
    )


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard the judge thinks."""

    candidates: int = 16
    """Whole actions that are compared at a decision, beside the one that was played."""
    rows: int = 100
    """Rows that are imagined before each Reveal."""
    simulations: int = 1000
    """Of the strong bot, who puts forward a move of its own."""


@dataclass
class Reckoner:
    """One seat's; it looks at states that were concealed for that seat."""

    seat: int
    effort: Effort
    _judge: Judge = field(default_factory=Judge)
    _chooser: Chooser = field(default_factory=Chooser)

    def of(self, state: State) -> Hope:
        """Of any moment; whatever more the state tells than the seat knows is not looked at."""
        known = copy_of(state)
        conceal(known, self.seat)
        return self._hope(known)

    def before_reveal(self, state: State) -> Hope:
        """Of a moment before cards are drawn: by rows that may come, the same ones every time."""
        known = copy_of(state)
        conceal(known, self.seat)
        key = game_key(0, known.round_number)
        found = [
            (1.0, self._hope(self._revealed(known, *numbered_key(*key, row))))
            for row in range(self.effort.rows)
        ]
        return mean_of(found)

    def _revealed(self, known: State, high: int, low: int) -> State:
        state = copy_of(known)
        deal_hidden(state, high, low)
        while state.actor == CHANCE:
            apply(state, CHANCE, draw_chance(state, high, low))
        conceal(state, self.seat)
        return state

    def choices(self, state: State, played: Action) -> dict[Action, Hope]:
        """What the seat, whose decision it is, may expect after its best whole actions and the one played."""
        known = copy_of(state)
        conceal(known, self.seat)
        listed = [tuple(one.codes) for one in self._chooser.candidates(known, self.effort.candidates)]
        actions = dict.fromkeys((played, *listed))
        return {action: self.after(known, action) for action in actions}

    def after(self, known: State, action: Action) -> Hope:
        """A look at face-down cards is worth what the seat makes of each that it may see."""
        after = copy_of(known)
        for code in action:
            apply(after, self.seat, code)
        unseen = hidden_in_row(after) if action[0] == PEEK else []
        return mean_of([(chance, self._hope(seen)) for chance, seen in peeked_states(after, unseen)])

    def _hope(self, known: State) -> Hope:
        outlook = Outlook(self._judge, self.seat)
        while known.actor >= 0 and known.phase in (phases.POTTERY, phases.CLAIM):
            known = self._replied(known)
        if known.phase == phases.GHOST:
            return mean_of([(chance, self._hope(way)) for chance, way in ways_of_ghost(known)])
        return self._told(outlook.of(known))

    def _replied(self, known: State) -> State:
        """Somebody does what promises most by what both they and the seat know."""
        theirs = copy_of(known)
        conceal(theirs, known.actor)
        after = copy_of(known)
        for code in self._chooser.candidates(theirs, 1)[0].codes:
            apply(after, known.actor, code)
        return after

    def _told(self, prospect: Prospect) -> Hope:
        win = prospect.titles[0] if not prospect.wins else prospect.wins[self.seat]
        return Hope(win, prospect.scores[self.seat])
