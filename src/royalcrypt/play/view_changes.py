"""Changes between two views of one viewer, as JSON values that a client applies without rules of the game.

A change has the same shape as the view, with the changed fields only. Where the old value is a list and the
change an object, its keys are indices of the list, and an index at the end appends. Otherwise, where both are
objects, the fields are merged. Any other value, also null, replaces the old one.
"""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import astuple

from royalcrypt.notation.cards import LETTERS
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.public_part import PublicPart
from royalcrypt.play.view_parts import ViewParts
from royalcrypt.play.views import SeatView, SlotView, View

Changes = dict[Any, Any]
Part = tuple[Any, ...]
HEAD = View.__struct_fields__[1:14]
DECK = ("deck", "top")
SLOT = tuple(name for name in SlotView.__struct_fields__ if name != "card")
SEAT = tuple(name for name in SeatView.__struct_fields__ if name != "cards")
"""Names of the fields in the tuples of a ``PublicPart``."""


def changes_between(before: ViewParts, after: ViewParts) -> Changes:
    """The fields in which the view made of ``after`` differs; both must have the same viewer."""
    public = _public_changes(before.public, after.public)
    is_same = before.knowledge is after.knowledge
    changes = public.copy() if is_same else _with_cards(public, before, after)
    if before.actions != after.actions:
        changes["actions"] = after.actions
    if before.form != after.form:
        changes["form"] = _change(before.form, after.form)
    if before.scores != after.scores:
        changes["scores"] = after.scores
    return changes


def _with_cards(public: Changes, before: ViewParts, after: ViewParts) -> Changes:
    """Add the changes of cards to those of the public part, which other viewers share."""
    changes = public.copy()
    old, new = before.knowledge.cards, after.knowledge.cards
    row, seats = changes.get("row", {}).copy(), changes.get("seats", {}).copy()
    for was, now, one, other in zip(before.public.slots, after.public.slots, old.row, new.row, strict=False):
        if not now[6] and (was[6] or one != other):
            card = other if was[6] else _change(one, other)
            row[now[0]] = row.get(now[0], {}) | {"card": card}
    for seat, (one, other) in enumerate(zip(old.collections, new.collections, strict=True)):
        if one != other:
            seats[seat] = seats.get(seat, {}) | {"cards": _changed_items(one, other)}
    if row:
        changes["row"] = row
    if seats:
        changes["seats"] = seats
    if old.discards != new.discards:
        changes["discards"] = _changed_items(old.discards, new.discards)
    if old.odds != new.odds:
        before_odds = old.odds or (None,) * len(LETTERS)  # They are told when the game is over.
        found = zip(LETTERS, before_odds, new.odds, strict=True)
        changes["unseen"] = {letter: counts for letter, former, counts in found if counts != former}
    return changes


def _public_changes(before: PublicPart, after: PublicPart) -> Changes:
    """The changes that are equal for all viewers; computed once."""
    if after.changes is None or after.changes[0] is not before:
        changes = _changed_values(HEAD, before.head, after.head)
        changes |= _changed_values(DECK, (before.deck, before.top), (after.deck, after.top))
        row = _changed_parts(SLOT, before.slots, after.slots)
        for index, slot in enumerate(after.slots):
            if slot[6] and not before.slots[index][6]:  # Its card was taken.
                row[index]["card"] = None
        if row:
            changes["row"] = row
        seats = _changed_parts(SEAT, before.seats, after.seats)
        if seats:
            changes["seats"] = seats
        before.changes = None  # It would keep all earlier parts of the game in memory.
        after.changes = before, changes
    return after.changes[1]


def _changed_parts(names: tuple[str, ...], before: Sequence[Part], after: Sequence[Part]) -> Changes:
    pairs = enumerate(zip(before, after, strict=True))
    return {index: _changed_values(names, old, new) for index, (old, new) in pairs if old != new}


def _changed_values(names: tuple[str, ...], before: Part, after: Part) -> Changes:
    found = zip(names, before, after, strict=False)  # a slot's last value is no field
    return {name: new for name, old, new in found if old != new}


def _changed_fields(before: msgspec.Struct, after: msgspec.Struct) -> Changes:
    changes: Changes = {}
    for name, old, new in zip(after.__struct_fields__, astuple(before), astuple(after), strict=False):
        if old is not new and old != new:
            changes[name] = new if type(new) is int else _change(old, new)
    return changes


def _change(old: Any, new: Any) -> Any:
    if isinstance(new, tuple):
        return _changed_items(old, cast("Part", new))
    if isinstance(new, CardView) and isinstance(old, CardView) and old.number != new.number:
        return new  # Another card: nearly every field differs.
    if isinstance(new, msgspec.Struct) and type(old) is type(new):
        return _changed_fields(old, new)
    return new


def _changed_items(old: Part, new: Part) -> Any:
    """Changed items by index; the whole list if it became shorter or has no objects to compare."""
    if not old or len(new) < len(old) or not isinstance(old[0], msgspec.Struct):
        return new
    changes: Changes = {}
    index = 0
    for one, other in zip(old, new, strict=False):
        if one is not other and one != other:
            changes[index] = _change(one, other)
        index += 1
    if len(new) > index:
        changes.update(enumerate(new[index:], index))
    return changes


def apply_changes(view: Any, changes: Any) -> Any:
    """Apply changes, as decoded from JSON, to a view or a part of one; returns a new value."""
    if not isinstance(changes, dict):
        return changes
    found = cast("dict[str, Any]", changes)
    if isinstance(view, list):
        items = cast("list[Any]", view).copy()
        for index, change in found.items():
            if int(index) == len(items):
                items.append(change)
            else:
                items[int(index)] = apply_changes(items[int(index)], change)
        return items
    if isinstance(view, dict):
        old = cast("dict[str, Any]", view)
        return old | {name: apply_changes(old.get(name), change) for name, change in found.items()}
    return found
