"""What a viewer cannot know (R11), and the same games with other values there."""

import json
import random
from typing import Any

from royalcrypt import Game
from royalcrypt.notation.events import Collect, Idols, Peek, Reveal, Take
from royalcrypt.play.chance import Address, Chance, address_of
from royalcrypt.rules.layout import State
from royalcrypt.rules.reveal import row_length


class Listening:
    """A source of chance that remembers what it brought."""

    def __init__(self, source: Chance) -> None:
        self.source = source
        self.brought: dict[Address, int] = {}

    def outcome(self, state: State) -> int:
        outcome = self.source.outcome(state)
        self.brought[address_of(state)] = outcome
        return outcome

    def published(self, *, is_over: bool) -> dict[str, Any]:
        return self.kept() if is_over else {}

    def kept(self) -> dict[str, Any]:
        """All it brought is secret here, so that a record which tells of it differs."""
        return {"secret": json.dumps(list(self.brought.items()))}


def flips_of(event: Any) -> tuple[Any, ...]:
    return getattr(event, "flip", ())


def just_taken(game: Game) -> set[int]:
    """What the actor took before its re-rolls; the event comes after them (R6.5)."""
    state = game.state
    row = range(row_length(state))
    return {state.drawn - len(row) + slot for slot in row if state.slots[slot].holder == state.actor}


def known_to(viewer: int | None, game: Game) -> set[int]:
    """The cards a viewer knows: from what happened and R11 alone, not the engine's own bookkeeping."""
    known = just_taken(game) if game.phase == "idol" and viewer == game.actor else set[int]()
    down: dict[int, int] = {}
    for event in game.events:
        known |= {card.number for card in flips_of(event)}
        match event:
            case Reveal():
                down = {slot: event.row[slot].number for slot in event.down}
                known |= {card.number for slot, card in enumerate(event.row) if slot not in event.down}
            case Peek() if event.seat == viewer:
                known |= set(down.values())
            case Take():
                taken = down.pop(event.slot)
                known |= {taken} if event.seat == viewer else set()
            case Collect() if event.seat == viewer:
                known |= {card.number for card in event.cards}
            case Idols():
                known |= {card.number for cards in event.flips.values() for card in cards}
            case _:
                pass
    return known


def otherwise(
    state: State, known: set[int], brought: dict[Address, int], rng: random.Random
) -> dict[Address, int]:
    """The same chance but for cards the viewer does not know: they are dealt anew, among the deck's."""
    length = row_length(state)
    hidden = [card for card in range(state.drawn) if card not in known]
    pool = [kind for kind in range(24) for _ in range(state.unseen[kind])]
    pool += [state.card_type[card] * 4 + state.card_value[card] - 1 for card in hidden]
    rng.shuffle(pool)
    found = dict(brought)
    for card in hidden:
        kind = next(kind for kind in pool if kind // 4 == state.card_type[card])
        pool.remove(kind)
        position = card % length if not state.is_solo else length - 1
        found["card", card // length + 1, 0, position] = kind
    return found


def flipped(game: Game) -> list[int]:
    state = game.state
    return [state.card_flipped[card] for card in range(state.drawn)]
