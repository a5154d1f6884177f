"""Moves as text."""

import pytest

from royalcrypt import Move, Placement, Reason, Refusal
from royalcrypt.notation.moves import Action, Verb, is_whole
from royalcrypt.rules import actions as codes

EXAMPLES = [
    "1:2x3 4:1x5",
    "1:3x6",
    "recover",
    "peek",
    "peek M2",
    "mend",
    "mend R1 R3",
    "take 4",
    "take 4 P1 P2",
    "reroll 2",
    "reroll 2 I3",
    "decline",
    "mend R1 R2; 1:1x2",
    "peek M1; mend R1 R1; recover",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_move_is_written_as_it_was_read(text: str) -> None:
    assert str(Move.parse(text)) == text


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_repr_of_a_move_and_of_its_actions_parses_back(text: str) -> None:
    move = Move.parse(text)
    assert eval(repr(move), {"Move": Move}) == move
    for action in move.actions:
        assert eval(repr(action), {"Action": Action}) == action


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("pass", "recover"),
        ("PASS", "recover"),
        ("no", "decline"),
        ("re-roll 2 I3", "reroll 2 I3"),
        ("Reroll 2 i3", "reroll 2 I3"),
        ("1:2X3", "1:2x3"),
        ("1:2×3", "1:2x3"),
        ("1:2*3", "1:2x3"),
        ("  4:1x5   1:2x3 ", "1:2x3 4:1x5"),
        ("mend R3 r1", "mend R1 R3"),
        ("mend R1 R2;1:1x2", "mend R1 R2; 1:1x2"),
        ("take 4 P2 P1", "take 4 P1 P2"),
    ],
)
def test_synonyms_and_other_spellings_are_understood(written: str, meant: str) -> None:
    assert Move.parse(written) == Move.parse(meant)
    assert str(Move.parse(written)) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        ";",
        "recover;",
        "hello",
        "claim",
        "claim 1:1x1",
        "1",
        "1:",
        ":1x1",
        "1:2",
        "1:2x",
        "1:x3",
        "1:2x3,2:1x1",
        "1:-2x3",
        "-1:2x3",
        "1:2x3 recover",
        "1:1111x3",
        "²:1x1",
        "take",
        "take P1 P2",
        "take x",
        "take -1",
        "take 3 P1",
        "take 3 P1 P2 P3",
        "take 3 R1 R2",
        "reroll",
        "reroll 1 I5",
        "reroll 1 I0",
        "peek R1",
        "peek M1 M2",
        "peek M?",
        "mend R1",
        "mend R12 R2",
        "recover 1",
        "recover R1",
        "decline P1",
    ],
)
def test_what_is_not_a_move_is_refused_with_examples(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        Move.parse(text)
    assert refused.value.reason is Reason.NOT_A_MOVE
    assert str(refused.value.details["text"]) in text
    assert "1:2x3 (two dice of effort 3 on card 1)" in str(refused.value)


def test_people_count_cards_from_1_and_programs_from_0() -> None:
    assert Move.parse("1:2x3") == Move.claim(Placement(slot=0, dice=2, effort=3))
    assert Move.parse("take 4 P2 P1") == Move.of(Verb.TAKE, slot=3, flip=(2, 1))


def test_a_placement_knows_its_total() -> None:
    assert Placement(0, 2, 3).total == 6
    assert str(Placement(0, 2, 3)) == "1:2x3"


def test_small_decisions_spell_a_move() -> None:
    small = [
        codes.PEEK, codes.flip(2), codes.MEND, codes.flip(1), codes.flip(3),
        codes.placement(0, 2, 3), codes.placement(3, 1, 5), codes.DONE,
    ]  # fmt: skip
    assert str(Move.from_codes(small)) == "peek M2; mend R1 R3; 1:2x3 4:1x5"
    assert str(Move.from_codes([codes.take(3), codes.flip(1), codes.flip(2)])) == "take 4 P1 P2"
    assert str(Move.from_codes([codes.reroll(1), codes.flip(3)])) == "reroll 2 I3"
    assert str(Move.from_codes([codes.RECOVER])) == "recover"
    assert str(Move.from_codes([codes.DECLINE])) == "decline"


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_was_parsed_is_whole(text: str) -> None:
    assert all(is_whole(action) for action in Move.parse(text).actions)


@pytest.mark.parametrize(
    "action",
    [
        Action(Verb.CLAIM),
        Action(Verb.TAKE),
        Action(Verb.PEEK, slot=1),
        Action(Verb.MEND, flip=(1,)),
        Action(Verb.PEEK, flip=(1, 2)),
        Action(Verb.RECOVER, flip=(1,)),
        Action(Verb.RECOVER, place=(Placement(0, 1, 1),)),
    ],
)
def test_an_action_without_its_parts_or_with_others_is_not_whole(action: Action) -> None:
    assert not is_whole(action)
