"""Reads the engine in the oracle's words, so that the two can be compared."""

from typing import Any

from royalcrypt.rules.actions import (
    DECLINE,
    DONE,
    FLIP,
    MEND,
    PEEK,
    RECOVER,
    REROLL,
    TAKE,
    placed_dice,
    placed_effort,
    placed_slot,
)
from royalcrypt.rules.cards import DISCARDED
from royalcrypt.rules.chance import Purpose, list_outcomes, purpose
from royalcrypt.rules.layout import EVERYONE, NONE, SEATS, State, no_options
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import legal_actions, list_any_time

LETTERS = "IJMPRT"
PLAIN = {DONE: "done", RECOVER: "recover", PEEK: "peek", MEND: "mend", DECLINE: "decline"}


def words(action: int) -> tuple[Any, ...]:
    """An action code as the oracle says it."""
    if action < DONE:
        return ("place", placed_slot(action), placed_dice(action), placed_effort(action))
    if action >= FLIP:
        return ("flip", action - FLIP + 1)
    if action >= REROLL:
        return ("reroll", action - REROLL)
    if action >= TAKE:
        return ("take", action - TAKE)
    return (PLAIN[action],)


def legal(state: State) -> list[int]:
    options = no_options()
    return [options.codes[index] for index in range(legal_actions(state, options))]


def any_time(state: State, seat: int) -> list[int]:
    options = no_options()
    return [options.codes[index] for index in range(list_any_time(state, seat, options, 0))]


def chance_words(state: State, outcome: int) -> tuple[Any, ...]:
    if state.phase == Phase.REVEAL:
        return ("card", LETTERS[outcome // 4], outcome % 4 + 1)
    if state.phase == Phase.TOP:
        return ("top", LETTERS[outcome])
    return ("die", outcome)


def chances(state: State) -> dict[tuple[Any, ...], int]:
    options = no_options()
    count = list_outcomes(state, options)
    return {chance_words(state, options.codes[index]): options.weights[index] for index in range(count)}


def address(state: State) -> tuple[str, int, int, int]:
    name = Purpose(purpose(state)).name.lower()
    return (name, state.round_number, state.chance_seat, state.chance_index)


def card_name(state: State, card: int) -> str:
    return LETTERS[state.card_type[card]] + str(state.card_value[card])


def knowers(state: State, card: int) -> list[Any]:
    bits = state.card_knowers[card]
    if bits == EVERYONE:
        return [*range(state.seats), "public"]
    return [seat for seat in range(SEATS) if bits >> seat & 1]


def facts(state: State) -> dict[str, Any]:
    """As ``Oracle.facts``; the row only while it may be claimed."""
    row: list[Any] = []
    for position in range(row_length(state)):
        slot = state.slots[position]
        row.append(
            None
            if slot.card == NONE
            else {
                "card": card_name(state, slot.card),
                "down": bool(slot.is_down),
                "holder": None if slot.holder == NONE else slot.holder,
                "dice": slot.dice,
                "effort": slot.effort,
            }
        )
    collections: list[list[Any]] = [[] for _ in range(state.seats)]
    for index in range(state.takings):
        card = state.taken[index]
        collections[state.card_place[card]].append(
            {
                "card": card_name(state, card),
                "flipped": bool(state.card_flipped[card]),
                "knowers": knowers(state, card),
            }
        )
    discards = [
        (card_name(state, card), tuple(knowers(state, card)))
        for card in range(state.drawn)
        if state.card_place[card] == DISCARDED
    ]
    return {
        "round": state.round_number,
        "leader": state.leader,
        "top": None if state.top == NONE else LETTERS[state.top],
        "row": row if state.phase in (Phase.POTTERY, Phase.CLAIM) else None,
        "ready": [state.players[seat].ready for seat in range(state.seats)],
        "exhausted": [state.players[seat].exhausted for seat in range(state.seats)],
        "collections": collections,
        "discards": sorted(discards, key=repr),
        "unseen": {
            LETTERS[kind // 4] + str(kind % 4 + 1): state.unseen[kind]
            for kind in range(24)
            if state.unseen[kind]
        },
    }
