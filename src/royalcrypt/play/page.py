"""The part of a view's JSON that is equal for all viewers of a state, with blanks for the rest.

It is built from a copy of the state without card values, so it cannot reveal hidden values.
"""

from functools import cache, lru_cache

from royalcrypt.notation.cards import LETTERS, sides_text
from royalcrypt.play.rulings import codes_out_of_turn
from royalcrypt.rules.claims import is_last_turn, turns_in_round
from royalcrypt.rules.layout import CARDS, GHOST, KINDS, NONE, SLOTS, State, copy_sharing_all
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import scoring_seats, servants_worth

PHASES = tuple(phase.name.lower() for phase in Phase)
NULL = "null"
BOOLEANS = ("false", "true")
NO_VALUES = [0] * CARDS
NO_COUNTS = [0] * KINDS
CACHED_HANDS = 1 << 12
"""The number of different held-card counts whose JSON is cached: many games have the same counts."""

BLANK = ""
SEAT, FIRST_CARD = 1, 3
ACTIONS, FORM, SCORES = -6, -4, -2
"""Indices of blanks. The row, the collections, the discards and the unseen cards begin at FIRST_CARD."""
END = (BLANK, '],"unseen":', BLANK, ',"actions":[', BLANK, '],"form":', BLANK, ',"scores":[', BLANK, "]}")


class Page:
    """JSON pieces, alternating text and blanks, in the field order of ``View``."""

    __slots__ = ("any_time", "gone", "pieces", "servants")

    def __init__(self, state: State) -> None:
        public = copy_sharing_all(state)
        public.card_value = NO_VALUES
        public.unseen = NO_COUNTS
        self.any_time = codes_out_of_turn(public)
        """The legal any-time actions, by seat."""
        self.servants = [servants_worth(public, seat) for seat in range(scoring_seats(public))]
        self.gone: list[int] = []
        """The blanks of row cards that were taken."""
        self.pieces = ['{"seat":', BLANK, _head(public)]
        self._add_row(public)
        self._add_seats(public)
        top = NULL if public.top == NONE else f'"{LETTERS[public.top]}"'
        self.pieces[-1] += f'],"deck":{public.deck},"top":{top},"discards":['
        self.pieces += END

    def _add_row(self, public: State) -> None:
        pieces = self.pieces
        last = row_length(public) - 1
        for position in range(last + 1):
            slot = public.slots[position]
            if slot.card == NONE:
                self.gone.append(len(pieces))
            after = _after_card(slot.is_down, slot.holder, slot.dice, slot.effort, slot.failed)
            pieces += BLANK, after + (NEXT_SLOT[position] if position < last else '],"seats":[')

    def _add_seats(self, public: State) -> None:
        pieces = self.pieces
        ghost = GHOST if public.is_solo else NONE
        for seat in range(public.seats):
            player = public.players[seat]
            before = _before_cards(seat, seat == ghost, player.ready, player.exhausted, player.has_peeked)
            pieces[-1] += f",{before}" if seat else before
            held, unflipped = _numbers(*player.held), _numbers(*player.unflipped)
            won_idols = BOOLEANS[player.won_idols]
            pieces += BLANK, f'],"held":{held},"unflipped":{unflipped},"won_idols":{won_idols}}}'


def _head(public: State) -> str:
    """The JSON before the first card."""
    turns = turns_in_round(public)
    actor = public.actor if public.actor >= 0 else NULL
    return (
        f',"players":{scoring_seats(public)},"is_solo":{BOOLEANS[public.is_solo]}'
        f',"collectors":"{sides_text(public)}","round":{public.round_number},"rounds":{ROUNDS[public.seats]}'
        f',"phase":"{PHASES[public.phase]}","actor":{actor},"leader":{public.leader}'
        f',"lights_out":{seat_at(public, turns - 1)},"turn":{public.turn},"turns":{turns}'
        f',"is_last_turn":{BOOLEANS[is_last_turn(public)]},"decisions":{public.decisions}'
        ',"row":[{"slot":0,"card":'
    )


NEXT_SLOT = tuple(f',{{"slot":{position + 1},"card":' for position in range(SLOTS))


@cache
def _after_card(is_down: int, holder: int, dice: int, effort: int, failed: int) -> str:
    begin = f',"is_down":{BOOLEANS[is_down]},"holder":'
    if holder == NONE:
        return begin + 'null,"dice":0,"effort":0,"failed":0}'
    return begin + f'{holder},"dice":{dice},"effort":{effort},"failed":{failed}}}'


@cache
def _before_cards(seat: int, is_ghost: bool, ready: int, exhausted: int, has_peeked: int) -> str:  # noqa: FBT001
    return (
        f'{{"seat":{seat},"is_ghost":{BOOLEANS[is_ghost]},"ready":{ready},"exhausted":{exhausted}'
        f',"has_peeked":{BOOLEANS[has_peeked]},"cards":['
    )


@lru_cache(maxsize=CACHED_HANDS)
def _numbers(*numbers: int) -> str:
    return f"[{','.join(map(str, numbers))}]"
