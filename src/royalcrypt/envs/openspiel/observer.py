"""Observers: the knowledge of a player, a spectator or all players, as a tensor and as text.

=================  ==================================================================================
public, private
=================  ==================================================================================
yes, one player    what this seat knows
yes, none          what a spectator knows, seats from 0 on
yes, all players   what the players together know, seats from the observer's on
no, one player     what this seat knows and a spectator does not
no, all players    what any of the players knows and a spectator does not
no, none           no information
=================  ==================================================================================

Tensors consist of named pieces of numbers, most of them between 0 and 1. Compiled functions write them: each
writes one or more pieces from offset ``at`` on, and returns the offset after them. Seats are in turn order
from the observer's own on, so that one network can play every seat.

With perfect recall, public information is the whole story (all steps so far); private information is kept.
"""

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from royalcrypt.envs.openspiel import tables
from royalcrypt.envs.openspiel.tables import TABLE, Memory, TableRecord, copy_known, state_in
from royalcrypt.envs.openspiel.text import STEP_NAMES, STEPS, board_text
from royalcrypt.notation.cards import card_of
from royalcrypt.rules.cards import DISCARDED, IN_CRYPT, kind_of
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import FACES, I2, KINDS, NONE, SERVANTS, SPECTATOR, TYPES, VALUES, State
from royalcrypt.rules.phases import NO_ERRAND, Phase
from royalcrypt.rules.reveal import ROUNDS, ROW, row_length
from royalcrypt.rules.scoring import count_scores
from royalcrypt.rules.views import knows
from royalcrypt.search.backend import Floats
from royalcrypt.search.compilation import compiled

if TYPE_CHECKING:
    from royalcrypt.envs.openspiel.game import SpielSettings

spiel: Any = pyspiel
NO_PLAYER = spiel.PrivateInfoType.NONE
ONE_PLAYER = spiel.PrivateInfoType.SINGLE_PLAYER
ALL_PLAYERS = spiel.PrivateInfoType.ALL_PLAYERS
PHASES = len(Phase)
ERRANDS = 5
PER_SCORE = 64
PER_KIND = 2
PER_TYPE = 8
SEAT_WIDTH = 5 + 2 * TYPES


def public_shapes(players: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the public pieces, in the order in which ``observe`` writes them."""
    slots = ROW[players]
    return {
        "actor": (players,),
        "leader": (players,),
        "sides": (TYPES,),
        "time": (3,),
        "phase": (PHASES,),
        "errand": (ERRANDS + 2,),
        "last_slot": (slots,),
        "top": (TYPES,),
        "unseen": (TYPES, VALUES),
        "row": (slots, TYPES + VALUES + 1 + players + 3),
        "seats": (players, SEAT_WIDTH),
        "scores": (players,),
        "cards": (players + 1, KINDS),
    }


def observe(memory: Memory, known: Memory, numbers: Floats, viewer: int, first: int, at: int) -> int:
    """Copy the viewer's knowledge into ``known``, and write it as numbers."""
    copy_known(memory, known, viewer)
    table: TableRecord = known.view(TABLE)[0]
    state = table.states[0]
    at = write_moment(state, first, numbers, at)
    at = write_errand(state, numbers, at)
    at = write_deck(state, numbers, at)
    at = write_row(state, first, numbers, at)
    at = write_seats(state, first, numbers, at)
    at = write_scores(state, first, numbers, at)
    return write_cards(state, first, numbers, at)


def observe_secrets(memory: Memory, known: Memory, numbers: Floats, viewer: int, first: int, at: int) -> int:
    """Write the knowledge that a viewer has and a spectator does not have (R11.2)."""
    copy_known(memory, known, viewer)
    table: TableRecord = known.view(TABLE)[0]
    state = table.states[0]
    for card in range(state.drawn):
        if knows(state, SPECTATOR, card):
            state.card_value[card] = 0
    for position in range(row_length(state)):
        card = state.slots[position].card
        if is_in_crypt(state, card) and state.card_value[card] > 0:
            numbers[at + state.card_value[card] - 1] = 1.0
        at += VALUES
    return write_cards(state, first, numbers, at)


def write_story(known: Memory, numbers: Floats, at: int) -> int:
    """Write the story, the steps so far, of a concealed table."""
    table: TableRecord = known.view(TABLE)[0]
    for step in range(table.steps):
        numbers[at + step] = (table.story[step] + 1) / STEPS
    return at + table.steps


def order_of(state: State, seat: int, first: int) -> int:
    return (seat - first + state.seats) % state.seats


def mark(numbers: Floats, at: int, count: int, index: int) -> int:
    """Write 1 at the index (one-hot); nothing if the index is below 0."""
    if index >= 0:
        numbers[at + index] = 1.0
    return at + count


def write_moment(state: State, first: int, numbers: Floats, at: int) -> int:
    """Write the actor (none at chance nodes), leader, sides, rounds and turns left, dice rolled and phase."""
    at = mark(numbers, at, state.seats, order_of(state, state.actor, first) if state.actor >= 0 else NONE)
    at = mark(numbers, at, state.seats, order_of(state, state.leader, first))
    for card_type in range(TYPES):
        numbers[at + card_type] = state.sides[card_type]
    at += TYPES
    numbers[at] = 1 - state.round_number / ROUNDS[state.seats]
    numbers[at + 1] = 1 - state.turn / turns_in_round(state)
    numbers[at + 2] = state.rolls / SERVANTS
    return mark(numbers, at + 3, PHASES, state.phase)


def write_errand(state: State, numbers: Floats, at: int) -> int:
    """Write the reward being paid, the pending flips and their least value, and the last card claimed."""
    if state.errand != NO_ERRAND:
        numbers[at + state.errand] = 1.0
        numbers[at + ERRANDS] = state.flips_owed / 2
        numbers[at + ERRANDS + 1] = state.flip_floor / VALUES
    return mark(numbers, at + ERRANDS + 2, row_length(state), state.last_slot)


def write_deck(state: State, numbers: Floats, at: int) -> int:
    """Write the type of the top card and, by kind, the number of cards at unknown places (R11.5)."""
    at = mark(numbers, at, TYPES, state.top)
    for kind in range(KINDS):
        numbers[at + kind] = state.unseen[kind] / PER_KIND
    return at + KINDS


def is_in_crypt(state: State, card: int) -> bool:
    """Whether a slot's card is in the Crypt. In Reveal, undealt slots still have cards of the last round."""
    return card != NONE and card < state.drawn and state.card_place[card] == IN_CRYPT


def write_row(state: State, first: int, numbers: Floats, at: int) -> int:
    """Write for each slot: type, value, whether it is face-down, holder, dice, effort and failed dice."""
    for position in range(row_length(state)):
        slot = state.slots[position]
        if is_in_crypt(state, slot.card):
            numbers[at + state.card_type[slot.card]] = 1.0
            mark(numbers, at + TYPES, VALUES, state.card_value[slot.card] - 1)
            numbers[at + TYPES + VALUES] = slot.is_down
        at += TYPES + VALUES + 1
        if slot.holder != NONE and state.drawn > 0:
            numbers[at + order_of(state, slot.holder, first)] = 1.0
            numbers[at + state.seats] = slot.dice / SERVANTS
            numbers[at + state.seats + 1] = slot.effort / FACES
            numbers[at + state.seats + 2] = slot.failed / SERVANTS
        at += state.seats + 3
    return at


def write_seats(state: State, first: int, numbers: Floats, at: int) -> int:
    """Write for each seat: dice, flags, cards by type, and the number of unflipped cards by type."""
    for order in range(state.seats):
        player = state.players[(first + order) % state.seats]
        numbers[at] = player.ready / SERVANTS
        numbers[at + 1] = player.exhausted / SERVANTS
        numbers[at + 2] = player.has_placed
        numbers[at + 3] = player.has_peeked
        numbers[at + 4] = player.won_idols
        for card_type in range(TYPES):
            numbers[at + 5 + card_type] = player.held[card_type] / PER_TYPE
            numbers[at + 5 + TYPES + card_type] = player.unflipped[card_type] / PER_TYPE
        at += SEAT_WIDTH
    return at


def write_scores(state: State, first: int, numbers: Floats, at: int) -> int:
    """Write the current score of each seat, as far as the observer can compute it."""
    count_scores(state)
    for order in range(state.seats):
        numbers[at + order] = state.players[(first + order) % state.seats].score / PER_SCORE
    return at + state.seats


def write_cards(state: State, first: int, numbers: Floats, at: int) -> int:
    """Write the number of known cards of each kind, for each seat and for the discards."""
    for card in range(state.drawn):
        place = state.card_place[card]
        if place != IN_CRYPT and state.card_value[card] > 0:
            order = state.seats if place == DISCARDED else order_of(state, place, first)
            numbers[at + order * KINDS + kind_of(state.card_type[card], state.card_value[card])] += (
                1 / PER_KIND
            )
    return at + (state.seats + 1) * KINDS


class Observer:
    """An OpenSpiel observer: ``set_from`` fills ``tensor``; ``dict`` contains its named pieces."""

    def __init__(self, wanted: Any, settings: "SpielSettings", longest: int) -> None:
        self.is_public = bool(wanted.public_info)
        self.private = wanted.private_info
        self.recalls = bool(wanted.perfect_recall)
        self.settings = settings
        self.known: Any = np.zeros(tables.LENGTH, I2)
        players = settings.players
        shapes: dict[str, tuple[int, ...]] = {"player": (players,)} if self.private == ONE_PLAYER else {}
        if self.is_public:
            shapes |= public_shapes(players) | ({"story": (longest,)} if self.recalls else {})
        elif self.private != NO_PLAYER:
            shapes |= {"secret_row": (ROW[players], VALUES), "secret_cards": (players + 1, KINDS)}
        self.tensor: Any = np.zeros(sum(prod(shape) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + prod(shape)].reshape(shape)
            at += prod(shape)

    def set_from(self, state: Any, player: int) -> None:
        """Write the tensor from a copy of the state without hidden information."""
        numbers = self.tensor
        numbers.fill(0)
        at = 0
        if self.private == ONE_PLAYER:
            numbers[player] = 1
            at = self.settings.players
        first = 0 if self.private == NO_PLAYER else player
        if self.is_public:
            at = compiled(observe)(state.memory, self.known, numbers, self._viewer(player), first, at)
            if self.recalls:
                compiled(write_story)(self.known, numbers, at)
        elif self.private != NO_PLAYER:
            compiled(observe_secrets)(state.memory, self.known, numbers, self._viewer(player), first, at)

    def string_from(self, state: Any, player: int) -> str:
        lines = [f"seat {player} of {self.settings.players}"] if self.private == ONE_PLAYER else []
        compiled(copy_known)(state.memory, self.known, self._viewer(player))
        if not self.is_public:
            lines += [self._secrets()] if self.private != NO_PLAYER else []
        elif self.recalls:
            lines += [f"{self.settings.collectors}, seat {self.settings.leader} leads"]
            lines += ["; ".join(STEP_NAMES[step] for step in tables.story_in(self.known))]
            first = enumerate(tables.first_in(self.known))
            lines += [f"first: seat {seat}" for seat, is_first in first if is_first]
        else:
            lines += [board_text(state_in(self.known))]
        return "\n".join(lines)

    def _viewer(self, player: int) -> int:
        """The viewer whose knowledge is shown: a seat, SPECTATOR, or all players TOGETHER."""
        if self.private == ALL_PLAYERS:
            return tables.TOGETHER
        return player if self.private == ONE_PLAYER else SPECTATOR

    def _secrets(self) -> str:
        known = state_in(self.known)
        cards = [
            f"card {card + 1} is {card_of(known, card)}"
            for card in range(known.drawn)
            if known.card_value[card] > 0 and not knows(known, SPECTATOR, card)
        ]
        return ", ".join(cards) or "no secrets"
