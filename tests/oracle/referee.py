"""Check a finished record, event by event, with the rules alone.

The record supplies the decisions and the luck; the Oracle writes its own record, and the two must agree."""

from collections.abc import Callable
from typing import Any, cast

from tests.oracle.chance import choose, commitment
from tests.oracle.game import Action, Illegal, Oracle

Event = dict[str, Any]
Source = Callable[[Oracle], Action]


class Disagreement(Exception):  # noqa: N818
    """The record breaks the rules at event n (-1: before the first; the number of events: after the last)."""

    def __init__(self, n: int, message: str) -> None:
        super().__init__(f"event {n}: {message}")
        self.n = n
        self.message = message


def referee(record: dict[str, Any]) -> None:
    """Every step of the record follows the rules, and its result is right; its luck is taken as written."""
    events = _events(record)
    _replay(record, events, lambda oracle: _written(oracle, events))


def recompute(record: dict[str, Any]) -> None:
    """As `referee`, but every card and roll must be the one at its address under the committed secret."""
    events = _events(record)
    try:
        secret = bytes.fromhex(record["fairness"]["seed"])
        promised, entropy = record["fairness"]["commitment"], list(map(str, record["fairness"]["entropy"]))
    except (KeyError, TypeError, ValueError) as error:
        raise Disagreement(-1, f"fairness cannot be read: {error!r}") from error
    if commitment(secret) != promised:
        raise Disagreement(-1, "the secret is not the one committed to")

    def addressed(oracle: Oracle) -> Action:
        outcomes = oracle.outcomes()
        return outcomes[choose(secret, entropy, oracle.address(), len(outcomes))]

    _replay(record, events, addressed)


def _events(record: dict[str, Any]) -> list[Event]:
    if not isinstance(record.get("events"), list):
        raise Disagreement(-1, "no events")
    return record["events"]


def _replay(record: dict[str, Any], events: list[Event], luck: Source) -> None:
    oracle = _set_up(record)
    checked = 0
    while True:
        for mine in oracle.log[checked:]:
            if checked >= len(events):
                raise Disagreement(checked, f"missing: {mine}")
            if not _agree(_tidy(mine), _tidy(events[checked])):
                raise Disagreement(checked, f"expected {mine}, found {events[checked]}")
            checked += 1
        if oracle.actor == "over":
            break
        if checked >= len(events):
            raise Disagreement(checked, "the record ends before the game")
        try:
            if oracle.actor == "chance":
                oracle.apply("chance", luck(oracle))
            else:
                _play(oracle, events[checked])
        except Illegal as error:
            raise Disagreement(checked, f"{error}: {events[checked]}") from error
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise Disagreement(checked, f"cannot be read ({error!r}): {events[checked]}") from error
    if checked < len(events):
        raise Disagreement(checked, f"superfluous: {events[checked]}")
    if not _agree(oracle.result(), record.get("result")):
        raise Disagreement(checked, f"expected result {oracle.result()}, found {record.get('result')}")


def _set_up(record: dict[str, Any]) -> Oracle:
    try:
        game = record["game"]
        players, collectors, leader = game["players"], game["collectors"], game["leader"]
        sound = (
            record["format"] == "royalcrypt-record"
            and players in (1, 2, 3, 4)
            and game["mode"] == ("solo" if players == 1 else "standard")
            and len(game["seats"]) == players
            and len(collectors) == 6
            and set(collectors) <= {"A", "B"}
            and leader in range(max(players, 2))
        )
    except (KeyError, TypeError) as error:
        raise Disagreement(-1, f"the game cannot be read: {error!r}") from error
    if not sound:
        raise Disagreement(-1, f"no such game: {game}")
    return Oracle(players, collectors, leader)


def _play(oracle: Oracle, event: Event) -> None:
    """Turn the next event into small decisions. A window is declined only when something else comes of it."""
    step, log = oracle.agenda[0], len(oracle.log)
    seat, kind = event.get("seat"), event["type"]
    mine = seat == step.seat
    if kind == "claim" and mine and step.kind == "turn":
        for p in event["place"]:
            if len(oracle.log) > log:
                raise Illegal("dice placed after the turn was over")
            place = _number(p["slot"]), _number(p["dice"]), _number(p["effort"])
            oracle.apply(step.seat, ("place", *place))
        if len(oracle.log) == log:
            oracle.apply(step.seat, ("done",))
    elif kind == "recover" and mine and step.kind == "turn":
        oracle.apply(step.seat, ("recover",))
    elif kind in ("peek", "mend") and isinstance(seat, int) and (mine or step.kind in ("pottery", "turn")):
        _pay(oracle, seat, (kind,), event["flip"])
    elif (kind, step.kind) in (("take", "pottery"), ("reroll", "window")) and mine:
        _pay(oracle, step.seat, (kind, _number(event["slot"])), event["flip"])
    elif step.kind == "turn":
        raise Illegal(f"seat {step.seat} must claim or recover")
    else:
        oracle.apply(step.seat, ("decline",))


def _pay(oracle: Oracle, seat: int, action: Action, flips: list[str]) -> None:
    oracle.apply(seat, action)
    for card in sorted(flips):
        oracle.apply(seat, ("flip", int(card[1])))


def _written(oracle: Oracle, events: list[Event]) -> Action:
    """The outcome that the record names, or for a top card's type one that fits the next Reveal."""
    step, event = oracle.agenda[0], events[len(oracle.log)]
    expected = {"card": "reveal", "die": "roll", "redie": "reroll", "ghostdie": "ghost", "tiedie": "tiebreak"}
    if step.kind == "top":
        return _fitting_top(oracle, events)
    if event["type"] != expected[step.kind]:
        raise Illegal(f"a {expected[step.kind]} must come first")
    match step.kind:
        case "card":
            card = _draw_order(event)[len(oracle.row)]
            return ("card", card[0], int(card[1]))
        case "redie":
            return ("die", _number(event["rolled"]))
        case "tiedie":
            mine = event["rolled"][str(step.seat)]
            return ("die", _number(mine[len(oracle.tie_rolls[step.seat])]))
        case _:
            return ("die", _number(event["rolled"][len(oracle.rolled)]))


def _fitting_top(oracle: Oracle, events: list[Event]) -> Action:
    """If none fits, any: the next Reveal will then be at fault, where it stands."""
    outcomes = oracle.outcomes()
    try:
        reveal = next(event for event in events[len(oracle.log) :] if event["type"] == "reveal")
        top: Action = ("top", _draw_order(reveal)[0][0])
    except (StopIteration, LookupError, TypeError):
        return outcomes[0]
    return top if top in outcomes else outcomes[0]


def _number(value: Any) -> int:
    """True and 2.0 are no numbers of a record."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _draw_order(reveal: Event) -> list[str]:
    """Face-up cards first (R4.1); for a row sorted by R10.3, left to right is one possible order."""
    row, down = reveal["row"], reveal["down"]
    return [row[s] for s in range(len(row)) if s not in down] + [row[s] for s in sorted(down)]


def _tidy(event: Event) -> Event:
    """RECORD.md gives no order to the cards of a flip, nor to the Ghost's placements: put them into one."""
    tidy: Event = {}
    try:
        tidy.update(event)
        if "flip" in event:
            tidy["flip"] = sorted(event["flip"])
        if event["type"] == "idols":
            tidy["flips"] = {seat: sorted(cards) for seat, cards in event["flips"].items()}
        if event["type"] == "ghost":
            tidy["place"] = sorted(event["place"], key=lambda placement: placement["slot"])
    except (KeyError, TypeError, ValueError, AttributeError):
        pass  # whatever it is, it will not agree
    return tidy


def _agree(mine: Any, theirs: Any) -> bool:
    """Equal; true is not 1. Theirs may have more fields, but no more seats or Collectors."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        ours, others = cast("Event", mine), cast("Event", theirs)
        may_have_more = bool({"n", "slot", "scores", "treasure"} & set(ours))  # keyed by fields
        fits = set(ours) <= set(others) if may_have_more else set(ours) == set(others)
        return fits and all(_agree(ours[key], others[key]) for key in ours)
    if isinstance(mine, list) and isinstance(theirs, list):
        pair = cast("list[Any]", mine), cast("list[Any]", theirs)
        return len(pair[0]) == len(pair[1]) and all(map(_agree, *pair))
    return mine == theirs and isinstance(mine, bool) == isinstance(theirs, bool)
