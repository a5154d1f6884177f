"""The part of a view that is equal for all viewers of a state."""

from typing import Any

from royalcrypt.notation.cards import LETTERS, sides_text
from royalcrypt.play.rulings import codes_out_of_turn
from royalcrypt.rules.claims import is_last_turn, turns_in_round
from royalcrypt.rules.layout import CARDS, GHOST, KINDS, NONE, State, copy_sharing_rows
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import scoring_seats, servants_worth

PHASES = tuple(phase.name.lower() for phase in Phase)
NO_VALUES = [0] * CARDS
NO_COUNTS = [0] * KINDS
SlotPart = tuple[int, bool, int | None, int, int, int, bool]
"""The fields of ``SlotView`` without the card, then whether the card was taken."""
SeatPart = tuple[int, bool, int, int, bool, tuple[int, ...], tuple[int, ...], bool]
"""The fields of ``SeatView`` without the cards."""


class PublicPart:
    """Built from a copy of the state without card values, so it cannot reveal hidden values."""

    __slots__ = ("actor", "changes", "deck", "head", "out_of_turn", "seats", "servants", "slots", "top")

    def __init__(self, state: State) -> None:
        public = copy_sharing_rows(state)
        public.card_value = NO_VALUES
        public.unseen = NO_COUNTS
        slots = [public.slots[position] for position in range(row_length(public))]
        turns = turns_in_round(public)
        players = scoring_seats(public)
        self.actor = public.actor if public.actor >= 0 else None
        self.head = (
            players,
            bool(public.is_solo),
            sides_text(public),
            public.round_number,
            ROUNDS[public.seats],
            PHASES[public.phase],
            self.actor,
            public.leader,
            seat_at(public, turns - 1),
            public.turn,
            turns,
            is_last_turn(public),
            public.decisions,
        )
        """The fields of ``View`` from ``players`` to ``decisions``."""
        self.slots: list[SlotPart] = []
        for position, slot in enumerate(slots):
            is_down, is_gone = slot.is_down == 1, slot.card == NONE
            if slot.holder == NONE:
                self.slots.append((position, is_down, None, 0, 0, 0, is_gone))
            else:
                self.slots.append(
                    (position, is_down, slot.holder, slot.dice, slot.effort, slot.failed, is_gone)
                )
        ghost = GHOST if public.is_solo else NONE
        self.seats: list[SeatPart] = []
        for seat in range(public.seats):
            player = public.players[seat]
            self.seats.append(
                (
                    seat,
                    seat == ghost,
                    player.ready,
                    player.exhausted,
                    player.has_peeked == 1,
                    tuple(player.held),
                    tuple(player.unflipped),
                    player.won_idols == 1,
                )
            )
        self.changes: tuple[PublicPart, dict[str, Any]] | None = None
        """Cache of ``view_changes``: an earlier part, and what has changed since."""
        self.deck = public.deck
        self.top = None if public.top == NONE else LETTERS[public.top]
        self.out_of_turn = codes_out_of_turn(public)
        self.servants = [servants_worth(public, seat) for seat in range(players)]
        """Coins for the ready servants of each seat (R7.2)."""
