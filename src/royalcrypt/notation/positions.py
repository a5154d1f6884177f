"""Positions as one line of text, hidden cards included, for bug reports, tests and studies.

    rc1 players=2 sides=AABABA round=2 leader=1 phase=claim turn=0 order=2 decisions=4 chance=0/0 top=P
    row=-,b2x3,v- seats=3+0,1+0 cards=I3aJ2bM1x?/P2.T4.R1.?

``row`` contains for each slot its holder and dice, ``v`` if face-down, and ``!n`` for n failed dice.
``seats`` contains ready and exhausted dice; p: placed in this round, k: looked at the face-down cards in this
round, w: was first to two Idols. ``cards`` lists every card drawn, by round and slot: type, value, place (a
seat from a to d, x for the discards, a dot for the Crypt), ``!`` if flipped, ``?`` and the seats that know it
if it is not known to all, ``^n`` if it was the n-th card taken by Pottery B in its round.
"""

import re
from functools import partial
from itertools import groupby

from royalcrypt.notation.cards import LETTERS, SIDES, is_sides, sides_text
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.cards import IN_CRYPT, draw, gain, is_public, kind_of, unseen_of_type
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import EVERYONE, NOBODY, NONE, SERVANTS, State, blank
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import row_length, set_up
from royalcrypt.rules.scoring import count_scores, scoring_seats
from royalcrypt.rules.turns import proceed

MARK = "rc1"
PHASES = {
    phase.name.lower(): phase for phase in (Phase.POTTERY, Phase.CLAIM, Phase.IDOL, Phase.REMAINS, Phase.OVER)
}
PLACES = "abcd.x"
NUMBERS = {
    "round": "round_number",
    "turn": "turn",
    "order": "order",
    "decisions": "decisions",
    "pushed": "ghost_pushed",
}
"""The state's attribute for each numeric field of a position."""
REQUIRED = (
    "players", "sides", "leader", "phase", *NUMBERS, "chance", "top", "race", "row", "seats", "cards",
)  # fmt: skip
CHANCE = re.compile(r"[0-3]/[0-9]{1,2}")
SLOT = re.compile(r"(v?)(?:-|_|([a-d])([1-3])x([1-6])(?:!([1-3]))?)")
SEAT = re.compile(r"([0-3])\+([0-3])(p?)(k?)(w?)")
CARD = re.compile(r"([IJMPRT])([1-4])([a-dx.])(!?)(?:(\?)([0-3]*))?(?:\^([1-9]))?")


def position_text(state: State) -> str:
    fields = {
        "players": str(scoring_seats(state)),
        "sides": sides_text(state),
        "leader": str(state.leader),
        "phase": Phase(state.phase).name.lower(),
        **{name: str(getattr(state, attribute)) for name, attribute in NUMBERS.items()},
        "chance": f"{state.chance_seat}/{state.chance_index}",
        "top": "-" if state.top == NONE else LETTERS[state.top],
        "race": str(state.is_race_over),
        "row": ",".join(_slot_text(state, position) for position in range(row_length(state))),
        "seats": ",".join(_seat_text(state, seat) for seat in range(state.seats)),
        "cards": _cards_text(state),
    }
    if state.phase == Phase.OVER:
        winners = [str(seat) for seat in range(state.seats) if state.players[seat].is_contender]
        fields["winners"] = "".join(winners)
    return " ".join([MARK, *(f"{name}={value}" for name, value in fields.items())])


def _slot_text(state: State, position: int) -> str:
    slot = state.slots[position]
    down = "v" if slot.is_down else ""
    if slot.holder == NONE:
        return down + ("_" if slot.card == NONE else "-")
    failed = f"!{slot.failed}" if slot.failed else ""
    return f"{down}{PLACES[slot.holder]}{slot.dice}x{slot.effort}{failed}"


def _seat_text(state: State, seat: int) -> str:
    player = state.players[seat]
    marks = "p" * player.has_placed + "k" * player.has_peeked + "w" * player.won_idols
    return f"{player.ready}+{player.exhausted}{marks}"


def _cards_text(state: State) -> str:
    length = row_length(state)
    pottery = _pottery_takes(state)
    cards = [_card_text(state, card, pottery) for card in range(state.drawn)]
    return "/".join("".join(cards[first : first + length]) for first in range(0, len(cards), length))


def _card_text(state: State, card: int, pottery: dict[int, int]) -> str:
    text = LETTERS[state.card_type[card]] + str(state.card_value[card]) + PLACES[state.card_place[card]]
    if state.card_flipped[card]:
        text += "!"
    if not is_public(state, card):
        text += "?" + "".join(
            str(seat) for seat in range(state.seats) if state.card_knowers[card] >> seat & 1
        )
    return text + (f"^{pottery[card]}" if card in pottery else "")


def _collect_order(state: State, card: int) -> tuple[int, int]:
    """Sort key for the order of collecting: by turn order within a round, then by slot (R6.3, R6.4)."""
    leader = (state.leader - (state.round_number - _round_of(state, card))) % state.seats
    return ((state.card_place[card] - leader) % state.seats, card)


def _round_of(state: State, card: int) -> int:
    return card // row_length(state) + 1


def _pottery_takes(state: State) -> dict[int, int]:
    """Cards taken by Pottery B, with their number within the round."""
    found: dict[int, int] = {}
    taken = list(state.taken)[: state.takings]
    for _, cards in groupby(taken, partial(_round_of, state)):
        order = [(_collect_order(state, card), card) for card in cards]
        early = 0
        while order[early:] != sorted(order[early:]):
            early += 1
        found |= {card: number for number, (_, card) in enumerate(order[:early], 1)}
    return found


def parse_position(text: str) -> State:
    """The state that a position describes; an invalid position is refused with the name of the bad field."""
    fields = _fields(text)
    players = _number(fields, "players", 4)
    _require(players >= 1, "players")
    _require(is_sides(fields["sides"]), "sides")
    state = blank()
    set_up(state, players, [SIDES.index(side) for side in fields["sides"]], 0)
    state.leader = _number(fields, "leader", state.seats - 1)
    _require(fields["phase"] in PHASES, "phase")
    state.phase = PHASES[fields["phase"]]
    for name, attribute in NUMBERS.items():
        setattr(state, attribute, _number(fields, name, 9999))
    _require(bool(CHANCE.fullmatch(fields["chance"])), "chance")
    state.chance_seat, state.chance_index = map(int, fields["chance"].split("/"))
    state.is_race_over = _number(fields, "race", 1)
    _read_cards(state, fields["cards"])
    _read_top(state, fields["top"])
    _read_seats(state, fields["seats"])
    _read_row(state, fields["row"])
    _check_dice(state)
    _find_actor(state, fields)
    return state


def _require(is_right: bool, field: str) -> None:  # noqa: FBT001 (reads as a sentence)
    if not is_right:
        raise Refusal(Reason.NOT_A_POSITION, field=field)


def _fields(text: str) -> dict[str, str]:
    mark, *words = text.split() or [""]
    _require(mark == MARK, MARK)
    fields: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        fields[name] = value
    for name in REQUIRED:
        _require(name in fields, name)
    return fields


def _matches(pattern: re.Pattern[str], text: str, count: int, field: str) -> list[re.Match[str]]:
    """Split a comma-separated field and match each word; refuse a wrong number of words or a mismatch."""
    found = [match for word in text.split(",") if (match := pattern.fullmatch(word))]
    _require(len(found) == count == text.count(",") + 1, field)
    return found


def _number(fields: dict[str, str], name: str, most: int) -> int:
    text = fields[name]
    _require(text.isdecimal() and text.isascii() and len(text) <= 4 and int(text) <= most, name)
    return int(text)


def _read_cards(state: State, text: str) -> None:
    length = row_length(state)
    early: dict[int, int] = {}
    for row in text.split("/"):
        found = list(CARD.finditer(row))
        _require("".join(match.group() for match in found) == row and len(found) == length, "cards")
        for match in found:
            _read_card(state, match, early)
    _require(state.drawn == state.round_number * length, "cards")
    _require(all(state.card_place[card] != IN_CRYPT for card in range(state.drawn - length)), "cards")
    taken = [card for card in range(state.drawn) if state.card_place[card] < IN_CRYPT]
    for card in sorted(taken, key=lambda card: _taking_order(state, card, early)):
        owner, knowers = state.card_place[card], state.card_knowers[card]
        _require(owner < scoring_seats(state) and knowers >> owner & 1 == 1, "cards")
        gain(state, owner, card)
        if state.card_flipped[card]:
            _require(knowers == EVERYONE, "cards")
            state.players[owner].unflipped[state.card_type[card]] -= 1


def _read_card(state: State, match: re.Match[str], early: dict[int, int]) -> None:
    letter, value, place, flipped, hidden, seats, number = match.groups()
    kind = kind_of(LETTERS.index(letter), int(value))
    _require(state.unseen[kind] > 0, "cards")
    card = draw(state, kind)
    state.card_place[card] = PLACES.index(place)
    state.card_flipped[card] = int(bool(flipped))
    _require(all(int(seat) < state.seats for seat in seats or ""), "cards")
    state.card_knowers[card] = sum(1 << int(seat) for seat in set(seats)) if hidden else EVERYONE
    if number:
        early[card] = int(number)


def _taking_order(state: State, card: int, early: dict[int, int]) -> tuple[int, int, tuple[int, int]]:
    return (_round_of(state, card), early.get(card, 99), _collect_order(state, card))


def _read_top(state: State, text: str) -> None:
    if state.deck == 0:
        _require(text == "-", "top")
        state.top = NONE
        return
    _require(len(text) == 1 and text in LETTERS, "top")
    state.top = LETTERS.index(text)
    _require(unseen_of_type(state, state.top) > 0, "top")


def _read_seats(state: State, text: str) -> None:
    for seat, match in enumerate(_matches(SEAT, text, state.seats, "seats")):
        ready, exhausted, placed, peeked, won = match.groups()
        player = state.players[seat]
        player.ready, player.exhausted = int(ready), int(exhausted)
        player.has_placed, player.has_peeked, player.won_idols = bool(placed), bool(peeked), bool(won)


def _read_row(state: State, text: str) -> None:
    first = state.drawn - row_length(state)
    for position, match in enumerate(_matches(SLOT, text, row_length(state), "row")):
        down, holder, dice, effort, failed = match.groups()
        slot = state.slots[position]
        card = first + position
        slot.card = card if state.card_place[card] == IN_CRYPT else NONE
        slot.is_down = int(bool(down))
        slot.holder = PLACES.index(holder) if holder else NONE
        slot.dice, slot.effort, slot.failed = int(dice or 0), int(effort or 0), int(failed or 0)
        _require(slot.holder < state.seats and slot.failed <= slot.dice, "row")
        _require(slot.holder == NONE or slot.card != NONE or state.phase == Phase.IDOL, "row")


def _check_dice(state: State) -> None:
    """Check that every player has three dice (R2.4)."""
    slots = [state.slots[position] for position in range(row_length(state))]
    for seat in range(state.seats):
        placed = sum(slot.dice for slot in slots if slot.holder == seat)
        player = state.players[seat]
        _require(player.ready + player.exhausted + placed == SERVANTS, "seats")


def _find_actor(state: State, fields: dict[str, str]) -> None:
    """Set the seat that decides; refuse a position without a decision, unless the game is over."""
    phase = state.phase
    state.actor = NOBODY
    if phase == Phase.OVER:
        seats = "".join(map(str, range(scoring_seats(state))))
        _require(state.deck == 0 and bool(re.fullmatch(f"[{seats}]+", fields.get("winners", ""))), "winners")
        count_scores(state)
        for seat in range(scoring_seats(state)):
            state.players[seat].is_contender = int(str(seat) in fields["winners"])
        return
    _require(state.turn <= turns_in_round(state) and state.order <= state.seats, "turn")
    proceed(state)
    _require(state.phase == phase and state.actor >= 0, "phase")
