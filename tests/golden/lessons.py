"""The tutorial's lessons: small scripted deals, played on the real rules and kept as what the learner sees.

The page shows them without a server, so every frame is made here. In a script, ``say`` is a step that is
read, with what it speaks about; ``do`` is a step in which the learner makes just this move; ``she`` is what
the opponent does after it. The words of step n of a lesson are ``tutorial.LESSON.n`` in the catalogues.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from royalcrypt import Game
from royalcrypt.notation.cards import card_of
from royalcrypt.notation.events import Reveal
from royalcrypt.notation.moves import Action, Move, Verb
from tests.rules.tables import table

PATH = Path(__file__).parents[2] / "web" / "src" / "features" / "tutorial" / "lessons.json"
LEARNER, OPPONENT = 0, 1


@dataclass(frozen=True)
class Lesson:
    name: str
    deal: dict[str, Any]
    """As for ``tests.rules.tables.table``: who has what, and what luck will bring."""
    script: tuple[str, ...]

    def told(self) -> dict[str, Any]:
        """The view it begins with, and its steps with all that follows each."""
        game = table(**self.deal)
        recorder = Recorder(game)
        told: dict[str, Any] = {
            "name": self.name,
            "start": recorder.seen,
            "events": recorder.told(0),
            "steps": [],
        }
        for line in self.script:
            kind, _, rest = line.partition(" ")
            if kind == "say":
                told["steps"].append({"light": rest, "then": []})
                continue
            if kind == "do":
                told["steps"].append({"do": wire(rest), "then": []})
            seat = LEARNER if kind == "do" else OPPONENT
            told["steps"][-1]["then"] += [recorder.play(rest, seat)]
        if game.is_over:
            told["result"] = game.result()
        return told


@dataclass
class Recorder:
    """Plays, and keeps what the learner is told of it."""

    game: Game
    seen: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = self.game.view(LEARNER).to_dict()
        self.game.events.append(revealed(self.game))

    def told(self, since: int) -> list[dict[str, Any]]:
        return json.loads(self.game.news(since).for_viewer(LEARNER))

    def play(self, move: str, seat: int) -> dict[str, Any]:
        """A frame: the events, and of the view what is another now."""
        since = len(self.game.events)
        self.game.play(move, seat=seat)
        before, self.seen = self.seen, self.game.view(LEARNER).to_dict()
        changed = {name: value for name, value in self.seen.items() if value != before[name]}
        return {"events": self.told(since), "view": changed}


def revealed(game: Game) -> Reveal:
    """What the round began with: a position has no history, but its story does."""
    state, view = game.state, game.view(LEARNER)
    return Reveal(
        round=view.round,
        leader=view.leader,
        row=tuple(card_of(state, state.slots[slot.slot].card) for slot in view.row),
        down=tuple(slot.slot for slot in view.row if slot.is_down),
        top=view.top,
    )


def wire(move: str) -> list[dict[str, Any]]:
    """A move as the page sends it."""
    return [_wire(action) for action in Move.parse(move).actions]


def _wire(action: Action) -> dict[str, Any]:
    said: dict[str, Any] = {"do": action.verb.value}
    if action.verb is Verb.CLAIM:
        said["place"] = [{"slot": put.slot, "dice": put.dice, "effort": put.effort} for put in action.place]
    if action.slot is not None:
        said["slot"] = action.slot
    return said


LESSONS = (
    Lesson(
        "claim",
        {"leader": 1, "row": "P4 J2 vT3", "top": "M", "luck": ["M3", "T2", "R1"]},
        ("say crypt", "she 2:1x1", "do 1:1x1", "she recover", "say mine"),
    ),
    Lesson(
        "push",
        {
            "leader": 1,
            "turn": 1,
            "row": "J4=b1x2 R2 vM3",
            "collections": ("P4", "J2"),
            "top": "T",
            "luck": ["T2", "P1", "R1"],
        },
        ("do 1:3x1", "she 2:1x1", "say mine"),
    ),
    Lesson(
        "roll",
        {
            "leader": 1,
            "turn": 1,
            "row": "M4 T1=b1x1 vR3",
            "collections": ("P4 J4", "J2 R2"),
            "top": "P",
            "luck": [2, "P2", "I1", "J1"],
        },
        ("do 1:1x4", "she 3:1x1", "say mine"),
    ),
    Lesson(
        "recover",
        {
            "leader": 1,
            "turn": 1,
            "row": "P3=b1x1 I1 vT2",
            "collections": ("P4 J4 M4", "J2 R2 T1"),
            "exhausted": (2,),
            "top": "R",
            "luck": ["R1", "M1", "J1"],
        },
        ("say mine", "do recover", "she 2:1x1", "say mine"),
    ),
    Lesson(
        "last",
        {
            "row": "T4 P1 vI3",
            "collections": ("P4 J4 M4", "J2 R2 T1 P3 I1"),
            "top": "R",
            "luck": [5, 3, "R1", "M1", "I2"],
        },
        ("do 1:1x1 3:1x1", "she 1:2x1", "do 1:2x2", "say mine"),
    ),
    Lesson(
        "reward",
        {
            "leader": 1,
            "turn": 1,
            "row": "R4 M2=b1x1 vP2",
            "collections": ("J4 M4 I3", "J2 R2 P3 I1"),
            "discards": "R3 M3",
            "top": "T",
            "luck": [3, 6, "T2", "M1", "I2"],
        },
        ("say collector-I", "do 1:1x5", "she 3:1x1", "do reroll 1", "say mine"),
    ),
    Lesson(
        "end",
        {
            "leader": 1,
            "turn": 1,
            "last_round": True,
            "row": "R4=b3x1 M2 vP2",
            "collections": ("P4 J4 I4 M1", "J3 R2 P3 I3 R1"),
        },
        ("say collector-M", "do 2:1x1", "she recover", "say sheet"),
    ),
)


def lines() -> Iterator[str]:
    """A step a line: so that a person can read what has changed."""
    yield "["
    for number, lesson in enumerate(LESSONS, 1):
        told = lesson.told()
        steps = told.pop("steps")
        yield _line(told)[:-1] + ',"steps":['
        yield ",\n".join(map(_line, steps))
        yield "]}" + ("," if number < len(LESSONS) else "")
    yield "]"


def text() -> str:
    return "\n".join(lines()) + "\n"


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
