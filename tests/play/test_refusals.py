"""Every refusal: its code, its parameters, its words, and that the game is as it was."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from royalcrypt import Game, IllegalAction, Move, Placement, Reason, Refusal
from royalcrypt.locales import catalogue
from royalcrypt.notation.moves import Action, Verb
from royalcrypt.play.chance import PURPOSES, CommittedChance, RecordedChance
from royalcrypt.play.replay import BrokenRecord
from tests.rules.tables import finish, table

TAKEN = "AAABAA"
PEEK = "AABAAA"


@dataclass
class Case:
    """A move that is refused."""

    reason: Reason
    move: str | Move
    says: str
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    seat: int | None = None
    at: Callable[[], Game] = table

    def __str__(self) -> str:
        return f"{self.reason}: {self.move}"


def held() -> Game:
    return table(row="J4=b2x3 T3 vM2", turn=2)


def far_held() -> Game:
    return table(row="J4=b3x6 T3 vM2", turn=2)


def own() -> Game:
    return table(row="J4=a1x3 T3 vM2", turn=2)


def tired() -> Game:
    return table(exhausted=(3,))


def last_turn() -> Game:
    return table(turn=2)


def can_take() -> Game:
    return table(sides=TAKEN, phase="pottery", collections=("P1 P2",))


def after_take() -> Game:
    game = can_take()
    game.play("take 3")
    return game


def peeker() -> Game:
    return table(sides=PEEK, collections=("M1 M3",))


def has_peeked() -> Game:
    return table(sides=PEEK, collections=("M1 M3",), peeked=(0,))


def nothing_down() -> Game:
    game = table(sides="AABBAA", phase="pottery", collections=("P1 P2 P3 P4 M1",))
    game.play("take 3 P1 P2")
    return game


def rerolling() -> Game:
    game = table(row="J4=a1x6 T3=a1x2 vM2", collections=("I1 I2",), turn=2, luck=(1, 2))
    game.play("recover")
    return game


def mender() -> Game:
    return table(collections=("R1 R2 R3",), exhausted=(1,))


def over() -> Game:
    return finish(table(collections=("I4", "T1"), last_round=True))


CASES = [
    Case(Reason.NOT_A_MOVE, "dance", '"dance" is not a move. Write for instance 1:2x3', {"text": "dance"}),
    Case(Reason.NOT_A_MOVE, Move(()), '"" is not a move.', {"text": ""}),
    Case(Reason.NOT_A_MOVE, Move.claim(), '"claim" is not a move.', {"text": "claim"}),
    Case(Reason.NOT_A_MOVE, Move.of(Verb.TAKE), '"take" is not a move.', {"text": "take"}, at=can_take),
    Case(Reason.NOT_A_MOVE, Move((Action(Verb.MEND, flip=(1,)),)), "mend R1 R3", {"text": "mend"}, at=mender),
    Case(
        Reason.WRONG_SEAT,
        "recover",
        "There is no seat 3: the last one is 2.",
        {"seat": 3, "seats": 2},
        seat=2,
    ),
    Case(Reason.WRONG_SEAT, "recover", "There is no seat 0", {"seat": 0, "seats": 2}, seat=-1),
    Case(Reason.GAME_OVER, "recover", "The game is over.", at=over),
    Case(
        Reason.NOT_YOUR_TURN,
        "1:1x1",
        "It is not seat 2's turn but seat 1's.",
        {"seat": 2, "actor": 1},
        seat=1,
    ),
    Case(
        Reason.NOT_NOW,
        "decline",
        "You cannot decline now. You can: claim, recover.",
        {"verb": "decline", "legal": "claim, recover"},
    ),
    Case(
        Reason.NOT_NOW,
        "1:1x1",
        "You cannot claim now. You can: take, decline.",
        {"verb": "claim", "legal": "take, decline"},
        at=can_take,
    ),
    Case(
        Reason.NOT_NOW,
        "recover",
        "You cannot recover now. You can: reroll, decline.",
        {"verb": "recover", "legal": "reroll, decline"},
        at=rerolling,
    ),
    Case(
        Reason.NOT_NOW,
        "reroll 1 I1",
        "You cannot reroll now. You can: claim, recover.",
        {"verb": "reroll", "legal": "claim, recover"},
        at=lambda: table(collections=("I1",)),
    ),
    Case(
        Reason.NOT_NOW,
        "take 3",
        "You cannot take now. You can: claim, recover, mend.",
        {"verb": "take", "legal": "claim, recover, mend"},
        at=lambda: table(sides=TAKEN, collections=("P1 P2 R1 R2",), exhausted=(1,)),
    ),
    Case(
        Reason.TURN_HAS_ENDED,
        "recover; 1:1x1",
        '"1:1x1" comes too late: the turn has ended before it.',
        {"text": "1:1x1"},
    ),
    Case(
        Reason.TURN_HAS_ENDED,
        "reroll 1 I1; reroll 1 I2",
        '"reroll 1 I2" comes too late',
        {"text": "reroll 1 I2"},
        at=rerolling,
    ),
    Case(
        Reason.NO_SUCH_CARD,
        "4:1x1",
        "There is no card 4: the Crypt's cards are 1 to 3.",
        {"card": 4, "cards": 3},
    ),
    Case(Reason.NO_SUCH_CARD, "0:1x1", "There is no card 0", {"card": 0, "cards": 3}),
    Case(Reason.NO_SUCH_CARD, "take 4", "There is no card 4", {"card": 4, "cards": 3}, at=can_take),
    Case(Reason.NO_SUCH_CARD, "reroll 0", "There is no card 0", {"card": 0, "cards": 3}, at=rerolling),
    Case(Reason.CARD_GONE, "3:1x1", "Card 3 was taken: claim another.", {"card": 3}, at=after_take),
    Case(
        Reason.CARD_TWICE,
        "1:1x1 1:1x2",
        "Card 1 is named twice: put all dice for a card together, with one effort.",
        {"card": 1},
    ),
    Case(Reason.WRONG_EFFORT, "1:1x7", "Effort 7 cannot be: a die shows 1 to 6.", {"effort": 7}),
    Case(Reason.WRONG_EFFORT, Move.claim(Placement(0, 1, -1)), "Effort -1 cannot be", {"effort": -1}),
    Case(Reason.WRONG_DICE, "1:0x1", "0 dice cannot be placed on a card: place 1 to 3.", {"dice": 0}),
    Case(Reason.WRONG_DICE, "1:4x1", "4 dice cannot be placed on a card: place 1 to 3.", {"dice": 4}),
    Case(Reason.NO_READY_DICE, "1:1x1", "You have no die ready: recover.", {"exhausted": 3}, at=tired),
    Case(
        Reason.TOO_FEW_DICE,
        "1:2x1 2:2x1",
        "That takes 4 dice, and 3 are ready.",
        {"wanted": 4, "ready": 3},
    ),
    Case(Reason.OWN_CARD, "1:2x6", "You hold card 1 already: choose another.", {"card": 1}, at=own),
    Case(
        Reason.EFFORT_TOO_LOW,
        "1:2x3",
        "Card 1 is held with 6: place 7 or more.",
        {"card": 1, "held": 6, "needed": 7, "total": 6},
        at=held,
    ),
    Case(
        Reason.CANNOT_PUSH_OUT,
        "1:3x6",
        "Card 1 is held with 18: the dice you have ready (3) cannot beat that.",
        {"card": 1, "held": 18, "ready": 3},
        at=far_held,
    ),
    Case(
        Reason.ONE_CARD_ONLY,
        "1:1x1 2:1x1",
        "This is the last turn of the round: claim one card only, not 2.",
        {"cards": 2},
        at=last_turn,
    ),
    Case(
        Reason.WRONG_SIDE,
        "peek",
        "You cannot peek in this game: that needs side B of the manuscript Collector.",
        {"verb": "peek", "collector": "manuscript", "side": "B"},
    ),
    Case(
        Reason.WRONG_SIDE,
        "mend",
        "that needs side A of the remains Collector.",
        {"verb": "mend", "collector": "remains", "side": "A"},
        at=lambda: table(sides="AAAABA"),
    ),
    Case(
        Reason.TOO_FEW_TO_FLIP,
        "mend",
        "To mend, flip 2 of your remains cards; you have 1 left to flip.",
        {"verb": "mend", "collector": "remains", "needed": 2, "unflipped": 1},
        at=lambda: table(collections=("R1 R2!",), exhausted=(1,)),
    ),
    Case(
        Reason.CHOOSE_FLIPS,
        "peek",
        "Say which card to flip to peek: M1, M3.",
        {"verb": "peek", "cards": "M1, M3"},
        at=peeker,
    ),
    Case(
        Reason.CHOOSE_FLIPS,
        "mend",
        "Say which card to flip to mend: R1, R2.",
        {"verb": "mend", "cards": "R1, R2"},
        at=mender,
    ),
    Case(
        Reason.CANNOT_FLIP,
        "peek M2",
        "You cannot flip M2. You can flip: M1, M3.",
        {"card": "M2", "cards": "M1, M3"},
        at=peeker,
    ),
    Case(
        Reason.CANNOT_FLIP,
        "mend R2 R2",
        "You cannot flip R2. You can flip: R3.",
        {"card": "R2", "cards": "R3"},
        at=mender,
    ),
    Case(
        Reason.ALREADY_PEEKED,
        "peek M1",
        "You have looked at the face-down cards in this round already.",
        at=has_peeked,
    ),
    Case(
        Reason.NOTHING_FACE_DOWN,
        "peek M1",
        "No card lies face-down in the Crypt.",
        {"verb": "peek"},
        at=nothing_down,
    ),
    Case(
        Reason.NOTHING_FACE_DOWN,
        "take 3 P3 P4",
        "No card lies face-down in the Crypt.",
        {"verb": "take"},
        at=nothing_down,
    ),
    Case(
        Reason.NOT_FACE_DOWN,
        "take 1",
        "Card 1 does not lie face-down in the Crypt.",
        {"card": 1},
        at=can_take,
    ),
    Case(
        Reason.NOBODY_EXHAUSTED,
        "mend",
        "None of your dice is exhausted.",
        at=lambda: table(collections=("R1 R2",)),
    ),
    Case(
        Reason.NO_FAILED_DIE,
        "reroll 2 I1",
        "None of your dice failed on card 2.",
        {"card": 2},
        at=rerolling,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_refused_move_says_why_and_what_would_be_right_and_changes_nothing(case: Case) -> None:
    game = case.at()
    position, moves, events = game.position(), list(game.moves), list(game.events)
    with pytest.raises(Refusal) as refused:
        game.play(case.move, seat=case.seat)
    assert refused.value.reason is case.reason
    assert refused.value.details == case.details
    assert case.says in str(refused.value)
    assert (game.position(), game.moves, game.events) == (position, moves, events)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_move_against_the_rules_is_an_illegal_action(case: Case) -> None:
    with pytest.raises(Refusal) as refused:
        case.at().play(case.move, seat=case.seat)
    assert isinstance(refused.value, IllegalAction) or case.move == "dance"


def test_a_move_of_several_actions_is_all_or_nothing() -> None:
    game = table(sides=PEEK, collections=("M1",))
    before = game.position()
    with pytest.raises(IllegalAction):
        game.play("peek M1; 1:1x9")
    assert game.position() == before
    assert not game.view(0).seats[0].has_peeked


def refusal(call: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        call()
    return refused.value


@pytest.mark.parametrize("players", [0, 5, -1, 2.0, "2", None, True])
def test_one_to_four_can_play(players: Any) -> None:
    """R2.1."""
    refused = refusal(lambda: Game.new(players=players))
    assert refused.reason is Reason.WRONG_PLAYERS
    assert refused.details == {"players": str(players)}
    assert str(refused) == f"One to four can play, not {players}."


@pytest.mark.parametrize("collectors", ["", "AAAAA", "AAAAAAA", "aaaaaa", "AAAAAX", None])
def test_collectors_are_six_letters(collectors: Any) -> None:
    """R2.3."""
    refused = refusal(lambda: Game.new(collectors=collectors))
    assert refused.reason is Reason.WRONG_COLLECTORS
    assert refused.details == {"collectors": str(collectors)}
    assert "write six letters A or B, for Idol, Jewelry, Manuscript, Pottery, Remains and Tapestry" in str(
        refused
    )


@pytest.mark.parametrize("leader", [-1, 2, "0"])
def test_a_leader_must_play(leader: Any) -> None:
    """R2.5."""
    refused = refusal(lambda: Game.new(leader=leader))
    assert refused.reason is Reason.WRONG_LEADER
    assert refused.details == {"leader": str(leader), "players": 2}
    assert "seats are counted from 0, and there are 2" in str(refused)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_a_seed_is_a_whole_number_that_fits_64_bits(seed: Any) -> None:
    refused = refusal(lambda: Game.new(seed=seed))
    assert refused.reason is Reason.WRONG_SEED
    assert refused.details == {"seed": str(seed)}
    assert "write a whole number from 0 to 9223372036854775807" in str(refused)
    assert Game.new(seed=2**63 - 1).actor == 0


def test_alone_you_lead() -> None:
    """R10.2."""
    refused = refusal(lambda: Game.new(players=1, leader=1))
    assert refused.reason is Reason.GHOST_LEADS
    assert str(refused) == "Alone, you lead the first round; the Ghost leads the next."


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_does_not_exist_sees_nothing(seat: int) -> None:
    game = table()
    for call in (lambda: game.view(seat), lambda: game.events_for(seat)):
        refused = refusal(call)
        assert refused.reason is Reason.WRONG_SEAT
        assert refused.details == {"seat": seat + 1, "seats": 2}


def test_without_a_move_there_is_nothing_to_undo() -> None:
    refused = refusal(Game.new(seed=1).undo)
    assert refused.reason is Reason.NOTHING_TO_UNDO
    assert str(refused) == "There is no move to take back."


def test_a_position_has_no_record() -> None:
    game = table()
    for call in (game.record, lambda: game.record_for(0)):
        refused = refusal(call)
        assert refused.reason is Reason.NO_HISTORY
        assert "began from a position" in str(refused)


def test_a_position_that_cannot_be_read_says_where() -> None:
    refused = refusal(lambda: Game.from_position("rc1 players=9"))
    assert refused.reason is Reason.NOT_A_POSITION
    assert str(refused) == 'This is not a position: look at "sides".'


def test_every_kind_of_chance_has_words() -> None:
    assert {f"reason.impossible_chance.{what}" for what in PURPOSES} <= catalogue().keys()


def test_chance_cannot_bring_a_card_that_is_gone() -> None:
    """R2.1: with two players there is one I1."""
    outcomes = {("card", 1, 0, 0): 0, ("card", 1, 0, 1): 0}
    refused = refusal(lambda: Game.new(chance=RecordedChance(outcomes, CommittedChance(bytes(32)))))
    assert refused.reason is Reason.IMPOSSIBLE_CHANCE
    assert refused.details == {"what": "card", "round": 1, "seat": 1, "number": 2}
    assert str(refused) == "Chance cannot have brought this: card 2 of round 1."


# Records. The events are those of a seeded two-player game in which everybody passes.


def passed() -> dict[str, Any]:
    return finish(Game.new(players=2, seed=1)).record().to_dict()


def load(record: dict[str, Any]) -> Callable[[], Game]:
    return lambda: Game.from_record(record)


def test_a_record_of_another_version_is_not_read() -> None:
    refused = refusal(load({**passed(), "version": 2}))
    assert refused.reason is Reason.WRONG_VERSION
    assert refused.details == {"found": 2, "needed": 1}
    assert str(refused) == "This record has version 2; version 1 can be read."


def test_what_is_no_record_is_not_read() -> None:
    refused = refusal(lambda: Game.from_record("[]"))
    assert refused.reason is Reason.NOT_A_RECORD
    assert refused.details == {"n": -1, "field": "format"}
    assert str(refused) == "This is not a game record: look at its format."


@pytest.mark.parametrize("rules", [None, 1, ["1.0"]])
def test_a_record_that_names_no_rules_is_none(rules: Any) -> None:
    refused = refusal(load({**passed(), "rules": rules}))
    assert refused.reason is Reason.NOT_A_RECORD
    assert refused.details["field"] == "rules"


def test_a_record_by_other_rules_is_not_read() -> None:
    refused = refusal(load({**passed(), "rules": "9.9"}))
    assert refused.reason is Reason.WRONG_RULES
    assert refused.details == {"found": '"9.9"', "needed": "1.0"}
    assert str(refused).endswith("those of version 1.0 are known here.")


def test_a_viewers_record_cannot_be_played_on() -> None:
    """It hides what its viewer did not know."""
    refused = refusal(load(Game.new(seed=1).record_for(0).to_dict()))
    assert refused.reason is Reason.VIEWERS_RECORD
    assert "cannot be played on" in str(refused)


def test_a_record_against_the_rules_says_which_event_breaks_which() -> None:
    record = passed()
    record["events"][1] = {
        "n": 1, "type": "claim", "seat": 0, "place": [{"slot": 0, "dice": 1, "effort": 7}], "last": False,
    }  # fmt: skip
    refused = refusal(load(record))
    assert isinstance(refused, BrokenRecord)
    assert refused.reason is Reason.BROKEN_RULE
    assert refused.details == {
        "n": 1,
        "rule": "wrong_effort",
        "effort": 7,
        "why": "Effort 7 cannot be: a die shows 1 to 6.",
    }
    assert str(refused) == "Event 1 breaks a rule: Effort 7 cannot be: a die shows 1 to 6."


def test_a_record_that_tells_something_else_than_the_rules_bring_about_says_what() -> None:
    record = passed()
    record["events"][1]["dice"] = 2
    refused = refusal(load(record))
    assert refused.reason is Reason.BROKEN_EVENT
    assert refused.details == {
        "n": 1,
        "expected": '{"n": 1, "type": "recover", "seat": 0, "dice": 0}',
        "found": '{"n": 1, "type": "recover", "seat": 0, "dice": 2}',
    }
    assert str(refused).startswith("Event 1 should be {")


def test_a_record_that_breaks_off_says_what_is_missing() -> None:
    record = passed()
    last = record["events"].pop()
    refused = refusal(load(record))
    assert refused.reason is Reason.MISSING_EVENT
    assert refused.details["n"] == last["n"]
    assert '"type": "end"' in str(refused)


def test_a_record_with_too_much_says_what_is_superfluous() -> None:
    record = passed()
    n = len(record["events"])
    record["events"].append({"n": n, "type": "recover", "seat": 0, "dice": 0})
    refused = refusal(load(record))
    assert refused.reason is Reason.SUPERFLUOUS_EVENT
    assert refused.details["n"] == n
    assert "should not be there" in str(refused)


def test_a_record_with_a_wrong_result_says_the_right_one() -> None:
    record = passed()
    record["result"]["winners"] = [0, 1]
    refused = refusal(load(record))
    assert refused.reason is Reason.WRONG_RESULT
    assert refused.details["n"] == len(record["events"])
    assert str(refused).startswith('The result should be {"scores": [3, 3]')


WRONG_PARTS: list[tuple[str, Any]] = [
    ("scores", [3, "3"]),
    ("scores", [3]),
    ("scores", [3.0, 3.0]),
    ("places", [True, 2]),
    ("winners", None),
    ("title", "fool"),
    ("breakdown", []),
    ("breakdown", [{}, {}]),
]


@pytest.mark.parametrize(("part", "wrong"), WRONG_PARTS)
def test_every_part_of_a_result_is_compared(part: str, wrong: Any) -> None:
    record = passed()
    record["result"][part] = wrong
    assert refusal(load(record)).reason is Reason.WRONG_RESULT


def test_a_result_may_say_more_than_it_must_but_not_of_other_collectors() -> None:
    record = passed()
    record["result"]["weather"] = "fine"
    assert Game.from_record(record).is_over
    record["result"]["breakdown"][0]["collectors"]["weather"] = 0
    assert refusal(load(record)).reason is Reason.WRONG_RESULT


def test_a_result_may_be_left_out_but_a_running_game_has_none() -> None:
    record = passed()
    result = record.pop("result")
    assert Game.from_record(record).result() == result
    running = Game.new(players=2, seed=1).record().to_dict()
    assert refusal(load({**running, "result": result})).reason is Reason.WRONG_RESULT


# The catalogue.


def test_every_reason_has_words() -> None:
    assert {f"reason.{reason}" for reason in Reason} <= set(catalogue())


def test_reasons_without_words_are_still_a_code_with_parameters() -> None:
    """As in ``notation``, which knows no words of any language."""
    from royalcrypt.notation.reasons import _code

    assert _code(Reason.EFFORT_TOO_LOW, {"needed": 7, "held": 6}) == "effort_too_low(needed=7, held=6)"
