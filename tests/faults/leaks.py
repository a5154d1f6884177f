"""Planted leaks: each lets somebody see what they must not, and the no-leak tests must catch every one.

A leak replaces one piece of source text by another; ``scripts/mutants.py`` plants each in a copy.
"""

from typing import NamedTuple


class Leak(NamedTuple):
    what: str
    path: str
    old: str
    new: str


RULES_VIEWS = "rules/views.py"
CARDS = "rules/cards.py"
COLLECTORS = "rules/collectors.py"
COLLECT = "rules/collect.py"
REVEAL = "rules/reveal.py"
VIEWS = "play/views.py"
PARTS = "play/view_parts.py"
PUBLIC = "play/public_part.py"
KNOWLEDGE = "play/knowledge.py"
REDACTION = "play/redaction.py"
EVENT_BUILDER = "play/event_builder.py"
GAME = "play/game.py"
RULINGS = "play/rulings.py"
CARD_TEXT = "notation/cards.py"
TABLE = "tables/table.py"
UPDATES = "live/updates.py"

CONCEALED = "    conceal(known, viewer)\n"

LEAKS = (
    Leak("a viewer has a neighbour's knowledge", RULES_VIEWS, "1 << viewer", "1 << (viewer ^ 1)"),
    Leak(
        "what anybody knows is known to all",
        RULES_VIEWS,
        "if knowers[card] & bit != bit:",
        "if bit and knowers[card] == 0:",
    ),
    Leak("spectators see with the knowledge of seat 0", RULES_VIEWS, "1 << viewer", "1 << (viewer % 4)"),
    Leak(
        "all is shown before the last chance",
        RULES_VIEWS,
        "0 if state.phase == phases.OVER",
        "0 if state.phase >= phases.REMAINS",
    ),
    Leak(
        "all is shown in the last round",
        RULES_VIEWS,
        "0 if state.phase == phases.OVER",
        "0 if state.deck == 0",
    ),
    Leak(
        "hidden values stay in the concealed state",
        RULES_VIEWS,
        "        state.card_value[card] = 0\n",
        "",
    ),
    Leak("hidden cards are missing from the unseen ones", RULES_VIEWS, "] += 1\n", "] += 0\n"),
    Leak(
        "the newest card is not concealed",
        RULES_VIEWS,
        "range(state.drawn):\n        if knowers",
        "range(state.drawn - 1):\n        if knowers",
    ),
    Leak(
        "the oldest cards are not concealed",
        RULES_VIEWS,
        "range(state.drawn):\n        if knowers",
        "range(6, state.drawn):\n        if knowers",
    ),
    Leak(
        "a hidden card joins the unseen ones with its value shifted",
        RULES_VIEWS,
        "if knowers[card] & bit != bit:",
        "if knowers[card] & bit != bit and state.card_value[card] < 4:",
    ),
    Leak(
        "cards taken face-down are shown to all",
        CARDS,
        "    show_to(state, seat, card)\n    player.held",
        "    show_to_all(state, card)\n    player.held",
    ),
    Leak("who sees a card, the next seat sees too", CARDS, "|= 1 << seat", "|= 3 << seat"),
    Leak(
        "cards are drawn known to seat 0",
        CARDS,
        "    state.card_knowers[card] = 0\n",
        "    state.card_knowers[card] = 1\n",
    ),
    Leak(
        "a peek shows the cards to all",
        COLLECTORS,
        "            show_to(state, seat, state.slots[position].card)",
        "            state.card_knowers[state.slots[position].card] = 31",
    ),
    Leak(
        "a peek shows the cards to the spectators",
        COLLECTORS,
        "            show_to(state, seat, state.slots[position].card)",
        "            show_to(state, 4, state.slots[position].card)",
    ),
    Leak(
        "a Pottery B take shows the card",
        COLLECTORS,
        "    gain(state, seat, slot.card)\n",
        "    state.card_knowers[slot.card] = 31\n    gain(state, seat, slot.card)\n",
    ),
    Leak(
        "face-down discards are shown",
        COLLECT,
        "        state.card_place[slot.card] = DISCARDED\n",
        "        state.card_place[slot.card] = DISCARDED\n        state.card_knowers[slot.card] = 31\n",
    ),
    Leak(
        "the Leader sees the face-down cards",
        REVEAL,
        "    if not slot.is_down:\n",
        "    state.card_knowers[card] |= 1 << state.leader\n    if not slot.is_down:\n",
    ),
    Leak(
        "the Ghost's row is ordered by the hidden card too",
        REVEAL,
        "return 5 if slot.is_down else 2",
        "return 2",
    ),
    Leak(
        "Pottery B's window opens only for a good card",
        COLLECTORS,
        "can_pay(state, seat, TAKING) and any_face_down(state)",
        "can_pay(state, seat, TAKING) and any_face_down(state) and state.card_value[state.drawn - 1] > 2",
    ),
    Leak(
        "those who like to remember are shown the discards",
        RULES_VIEWS,
        "place == IN_CRYPT",
        "place >= IN_CRYPT",
    ),
    Leak(
        "those who like to remember are shown a neighbour's collection",
        RULES_VIEWS,
        "place == viewer",
        "place | 1 == viewer | 1",
    ),
    Leak(
        "those who like to remember are shown what all have seen",
        RULES_VIEWS,
        "state.card_flipped[card] == 1",
        "state.card_knowers[card] == 31",
    ),
    Leak(
        "those who like to remember are shown all scores",
        PARTS,
        "score if index == seat else None",
        "score if seat is not None else None",
    ),
    Leak("those who like to remember are shown odds", KNOWLEDGE, " if tells_all else ()", ""),
    Leak(
        "viewers share the knowledge of the first who looks",
        KNOWLEDGE,
        "last = self._last.get(viewer)\n",
        "last = next(iter(self._last.values()), None)\n",
    ),
    Leak(
        "those who like to remember are shown odds that were told before",
        KNOWLEDGE,
        " and last[1] == remembers",
        "",
    ),
    Leak("a view is read off the whole truth", KNOWLEDGE, CONCEALED, ""),
    Leak(
        "a view carries the whole truth",
        VIEWS,
        'vars(view)["known"] = known',
        'vars(view)["known"] = state',
    ),
    Leak(
        "odds are taken before concealing",
        KNOWLEDGE,
        CONCEALED,
        CONCEALED + "    known.unseen = state.unseen\n",
    ),
    Leak(
        "discards are sorted by value",
        PARTS,
        "    public = cache.public(state)\n",
        "    public = cache.public(state)\n"
        "    best = sorted(knowledge.cards.discards, key=lambda card: state.card_value[card.number])\n"
        "    knowledge.cards = knowledge.cards._replace(discards=tuple(best))\n",
    ),
    Leak(
        "collections are sorted by value",
        KNOWLEDGE,
        CONCEALED,
        CONCEALED + "    taken = known.taken[: known.takings]\n"
        "    known.taken[: known.takings] = sorted(taken, key=lambda card: state.card_value[card])\n",
    ),
    Leak(
        "decisions count the hidden coins",
        PUBLIC,
        "            public.decisions,\n",
        "            public.decisions + state.card_value[state.drawn - 1],\n",
    ),
    Leak(
        "cards in lists are not redacted",
        REDACTION,
        "    return tuple([card.hidden() if card.number in hidden else card for card in held])\n",
        "    return held\n",
    ),
    Leak(
        "Idols are never redacted",
        REDACTION,
        "if not knows(state, viewer, card.number)",
        "if card.type != 0 and not knows(state, viewer, card.number)",
    ),
    Leak(
        "events are redacted for a spectator's neighbour",
        REDACTION,
        "if not knows(state, viewer, card.number)",
        "if not knows(state, viewer % 4, card.number)",
    ),
    Leak(
        "news are written as they are",
        REDACTION,
        "event_json(redacted(event, hidden), n)",
        "event_json(event, n)",
    ),
    Leak(
        "a spectator is told a seat's news",
        REDACTION,
        "viewer = SPECTATOR if seat is None else seat",
        "viewer = seat or 0",
    ),
    Leak(
        "all are told what the first is told",
        REDACTION,
        "self._encoded.get(tuple(hidden))",
        "next(iter(self._encoded.values()), None)",
    ),
    Leak(
        "a hidden card's text is its own",
        CARD_TEXT,
        "Card(self[0] + UNKNOWN, self.number)",
        "Card(str(self), self.number)",
    ),
    Leak(
        "a hidden card's text is as long as its value",
        CARD_TEXT,
        "Card(self[0] + UNKNOWN, self.number)",
        "Card(self[0] + UNKNOWN * self.value, self.number)",
    ),
    Leak(
        "collected cards are told best first",
        EVENT_BUILDER,
        "events.Collect(seat, taken(b.gains))",
        "events.Collect(seat, tuple(sorted(taken(b.gains), key=lambda card: -card.value)))",
    ),
    Leak(
        "a viewer's record has the whole events",
        GAME,
        "self._record(self.events_for(viewer), whose",
        "self._record(self.events, whose",
    ),
    Leak(
        "a viewer's record has what a save has",
        GAME,
        "whose | self.chance.published(is_over=False)",
        "whose | self.chance.published(is_over=False) | self.chance.kept()",
    ),
    Leak(
        "a viewer's record publishes the seed early",
        GAME,
        "whose | self.chance.published(is_over=False)",
        "whose | self.chance.published(is_over=True)",
    ),
    Leak(
        "a seat gets another seat's view",
        GAME,
        "return view_of(self._state, seat, ",
        "return view_of(self._state, seat if seat is None else (seat + 1) % self.players, ",
    ),
    Leak(
        "a spectator gets a seat's events",
        GAME,
        "seat = SPECTATOR if viewer is None else viewer",
        "seat = viewer or 0",
    ),
    Leak(
        "a refusal tells a hidden value",
        RULINGS,
        "Reason.NOT_YOUR_TURN, seat=seat + 1, actor=state.actor + 1",
        "Reason.NOT_YOUR_TURN, seat=seat + 1, actor=state.card_value[state.drawn - 1]",
    ),
    Leak(
        "a table keeps the view of the first who looks for all",
        TABLE,
        "found = self._parts.get(seat)",
        "found = next(iter(self._parts.values()), None)",
    ),
    Leak(
        "a seat is told how its neighbour's view has changed",
        UPDATES,
        "        before, parts = self.change.before.view_parts(seat), after.view_parts(seat)\n",
        "        other = 0 if seat is None else (seat + 1) % len(after.seats)\n"
        "        before, parts = self.change.before.view_parts(other), after.view_parts(other)\n",
    ),
    Leak(
        "a spectator is told how the first seat's view has changed",
        UPDATES,
        "changes_between(before, parts) or None",
        "changes_between(self.change.before.view_parts(seat or 0), after.view_parts(seat or 0)) or None",
    ),
    Leak(
        "all are sent the update of the first reader",
        UPDATES,
        "found = self._of_moves.get((seat, is_complete))",
        "found = next((one for key, one in self._of_moves.items() if key[1] == is_complete), None)",
    ),
    Leak(
        "an update tells spectators the first seat's news",
        UPDATES,
        "raw_json(self._news.for_viewer(seat))",
        "raw_json(self._news.for_viewer(seat or 0))",
    ),
    Leak(
        "who comes back as a spectator is told the first seat's events",
        UPDATES,
        "game.news(since).for_viewer(seat)",
        "game.news(since).for_viewer(seat or 0)",
    ),
    Leak(
        "a refusal shows spectators the first seat's view",
        UPDATES,
        "view=None if table is None else table.view(seat),",
        "view=None if table is None else table.view(seat or 0),",
    ),
    Leak(
        "an update is withheld while the newest card is good",
        UPDATES,
        "        update = EncodedUpdate(change)\n",
        "        update = EncodedUpdate(change)\n"
        "        state = change.after.game and change.after.game.state\n"
        "        if change.is_move and not change.sender and state.card_value[state.drawn - 1] > 2:\n"
        "            return\n",
    ),
    Leak(
        "a field that stayed is sent while the hidden cards are good",
        UPDATES,
        "changes_between(before, parts) or None",
        'changes_between(before, parts) | ({"round": 1} if sum('
        "after.game.state.card_value[: after.game.state.drawn]) % 2 else {})",
    ),
)
