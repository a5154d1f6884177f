"""Only Child: one player against the Ghost (R10)."""

import pytest

from royalcrypt import Game, IllegalAction, Placement, Reason
from royalcrypt.notation.events import Collect, Ghost, Reveal
from tests.rules.tables import (
    UNEQUAL,
    Luck,
    bonuses,
    can,
    cards,
    dice,
    finish,
    holders,
    table,
    told,
    treasures,
)


def haunted(row: str, *faces: int, claim: str = "recover", exhausted: tuple[int, ...] = ()) -> Game:
    """You lead, claim, and then the Ghost rolls."""
    game = table(players=1, row=row, exhausted=exhausted, luck=faces)
    game.play(claim)
    return game


# Set-up and the row.


def test_the_ghost_has_three_dice_ready_in_every_round() -> None:
    """R10.1."""
    game = Game.new(players=1, chance=Luck(*[6, 5, 4] * 8))
    while not game.is_over:
        if not game.view().turn:
            assert dice(game, 1) == (3, 0)
        game.play("recover" if game.phase == "claim" else "decline")
    assert dice(game, 1) == (3, 0)


def test_you_start_with_both_torches_which_then_alternate() -> None:
    """R10.2."""
    game = Game.new(players=1, chance=Luck(*[6, 5, 4] * 8))
    assert (game.view().leader, game.view().lights_out, game.actor) == (0, 0, 0)
    game.play("recover")
    assert game.actor == 0
    assert game.view().is_last_turn
    game.play("recover")
    assert (game.view().leader, game.view().lights_out, game.view().round) == (1, 1, 2)
    assert game.view().turn == 1


@pytest.mark.parametrize(
    ("drawn", "row"),
    [
        ("I1 J4 M2", ["J4", "M?", "I1"]),
        ("I3 J4 M1", ["J4", "I3", "M?"]),
        ("I1 J2 M4", ["M?", "J2", "I1"]),
        ("I2 J3 M3", ["J3", "M?", "I2"]),
        ("I4 J3 M4", ["I4", "J3", "M?"]),
    ],
)
def test_the_row_goes_from_high_to_low_and_a_face_down_card_counts_two_and_a_half(
    drawn: str, row: list[str]
) -> None:
    """R10.3: whatever the face-down card is worth."""
    game = Game.new(players=1, chance=Luck(*drawn.split()))
    assert [str(slot.card) for slot in game.view(0).row] == row
    assert [slot.is_down for slot in game.view(0).row] == ["?" in card for card in row]


@pytest.mark.parametrize(
    ("drawn", "row"), [("I2 J2 M1", ["M?", "I2", "J2"]), ("J4 I4 M1", ["J4", "I4", "M?"])]
)
def test_of_equal_cards_the_one_drawn_first_lies_to_the_left(drawn: str, row: list[str]) -> None:
    """R10.3."""
    game = Game.new(players=1, chance=Luck(*drawn.split()))
    assert [str(slot.card) for slot in game.view(0).row] == row
    (reveal,) = game.events
    assert isinstance(reveal, Reveal)
    assert reveal.down == (row.index("M?"),)


# The Ghost's turn.


def test_the_ghost_places_single_dice_from_the_highest_on_the_row_from_the_left() -> None:
    """R10.4."""
    game = haunted("I4 J3 vM1", 2, 6, 3)
    assert holders(game) == ["b1x6", "b1x3", "b1x2"]
    assert told(game.events, "ghost") == [
        Ghost((2, 6, 3), (Placement(0, 1, 6), Placement(1, 1, 3), Placement(2, 1, 2)), last=False)
    ]


def test_dice_of_equal_value_join_into_a_group_worth_their_sum() -> None:
    """R10.4."""
    assert holders(haunted("I4 J3 vM1", 4, 6, 4)) == ["b2x4", "b1x6", ""]


def test_a_pair_of_threes_goes_before_a_single_six() -> None:
    """R10.4: of equal sums the group with more dice goes first."""
    assert holders(haunted("I4 J3 vM1", 6, 3, 3)) == ["b2x3", "b1x6", ""]


@pytest.mark.parametrize(("faces", "first"), [((2, 1, 1), "b2x1"), ((1, 1, 2), "b2x1"), ((4, 2, 2), "b2x2")])
def test_of_other_equal_sums_too_the_pair_goes_first(faces: tuple[int, ...], first: str) -> None:
    """R10.4."""
    assert holders(haunted("I4 J3 vM1", *faces))[0] == first


def test_a_triple_is_one_group() -> None:
    """R10.4."""
    assert holders(haunted("I4 J3 vM1", 2, 2, 2)) == ["b3x2", "", ""]


def test_the_ghost_pushes_you_out_with_a_higher_total() -> None:
    """R10.4: your dice come home ready."""
    game = haunted("I4 J3 vM1", 5, 5, 1, claim="1:3x3")
    assert holders(game) == ["b2x5", "b1x1", ""]
    assert dice(game, 0) == (3, 0)


def test_the_ghost_does_not_push_you_out_with_an_equal_total() -> None:
    """R10.4."""
    assert holders(haunted("I4 J3 vM1", 5, 5, 1, claim="1:2x5")) == ["a2x5", "b2x5", "b1x1"]


def test_a_group_that_fits_nowhere_is_set_aside() -> None:
    """R10.4."""
    game = haunted("I4 J3 vM1", 2, 1, 2, claim="1:1x4 2:1x4 3:1x4")
    assert holders(game) == ["a1x4", "a1x4", "a1x4"]
    assert told(game.events, "ghost") == [Ghost((2, 1, 2), (), last=False)]
    assert dice(game, 1) == (3, 0)


def test_a_group_is_set_aside_when_a_better_one_has_taken_the_only_free_card() -> None:
    """R10.4: the pair of threes takes it; the five fits nowhere."""
    game = haunted("I4 J3 vM1", 3, 3, 5, claim="1:1x6 2:1x6")
    assert holders(game) == ["a1x6", "a1x6", "b2x3"]


def test_the_ghost_skips_its_own_cards() -> None:
    """R10.4: it never replaces or adds to its dice."""
    game = haunted("I4 J3 vM1", 1, 2, 3, claim="2:1x6")
    assert holders(game) == ["b1x3", "a1x6", "b1x2"]


def test_the_ghost_may_push_you_out_of_several_cards() -> None:
    """R10.4."""
    game = haunted("I4 J3 vM1", 6, 5, 4, claim="1:1x1 2:1x1 3:1x1")
    assert holders(game) == ["b1x6", "b1x5", "b1x4"]
    assert dice(game, 0) == (3, 0)


def test_a_card_taken_by_pottery_b_is_no_card_for_the_ghost() -> None:
    """R8.4B, R10.8."""
    game = table(
        players=1, sides="AAABAA", row="I4 vM1 J2", phase="pottery", collections=("P1 P2",), luck=(6, 5, 4)
    )
    game.play("take 2")
    game.play("recover")
    assert holders(game) == ["b1x6", "", "b1x5"]


def test_you_may_push_the_ghost_out_on_your_last_turn() -> None:
    """R5.4, R5.6, R10: and it does not come back in that round."""
    game = table(players=1, row="J4 T3 vM1", luck=(2, 3, 4, 6))
    game.play("recover")
    assert not can(game, 0, "1:1x5 2:1x5")
    events = game.play("1:1x5")
    assert told(events, "collect") == [Collect(0, treasures("J4"))]


# The Ghost's last turn.


def ghost_leads(*faces: int) -> Game:
    """The Ghost has placed 6, 5 and 4 from the left; now you claim, and then it has its last turn."""
    return table(players=1, leader=1, turn=1, row="J4=b1x6 T3=b1x5 vM1=b1x4", luck=faces)


def test_on_its_last_turn_the_ghost_rolls_only_the_dice_you_pushed_off() -> None:
    """R10.5."""
    game = ghost_leads(1, 6, 6)
    events = game.play("1:2x4")
    assert told(events, "ghost") == [Ghost((1,), (), last=True)]
    game = ghost_leads(3, 5, 6, 6, 6)
    events = game.play("2:1x6 3:2x3")
    assert told(events, "ghost") == [Ghost((3, 5), (), last=True)]


def test_on_its_last_turn_the_ghost_places_only_its_best_group() -> None:
    """R10.5: highest sum, then most dice."""
    game = table(players=1, leader=1, turn=1, row="J4=b2x3 T3=b1x1 vM1", luck=(6, 3, 3, 6, 2))
    events = game.play("1:2x4 2:1x2")
    assert told(events, "ghost") == [Ghost((6, 3, 3), (Placement(1, 2, 3),), last=True)]
    game = table(players=1, leader=1, turn=1, row="J4=b1x3 T3=b1x1 vM1", luck=(5, 6, 4, 4))
    events = game.play("1:1x4 2:1x4")
    assert told(events, "ghost") == [Ghost((5, 6), (Placement(0, 1, 6),), last=True)]


def test_on_its_last_turn_the_ghost_pushes_you_out_again() -> None:
    """R10.5: and, all pushed out, you rally (R6.2)."""
    game = table(players=1, leader=1, turn=1, row="J4=b1x2 T3=b1x1 vM1", exhausted=(2,), luck=(6,))
    events = game.play("1:1x3")
    assert [event.type for event in events] == ["claim", "ghost", "rally", "reveal"]
    assert dice(game, 0) == (3, 0)
    assert cards(game, 0) == []


def test_if_the_best_group_fits_nowhere_nothing_is_placed() -> None:
    """R10.5, section 12: the lower group is not tried."""
    game = table(players=1, leader=1, turn=1, row="J4=b1x3 T3=b1x1 vM1=b1x1", luck=(3, 2, 1, 6, 6, 1))
    events = game.play("1:1x4 2:1x3 3:1x3")
    assert told(events, "ghost") == [Ghost((3, 2, 1), (), last=True)]


def test_a_best_group_may_be_a_pair_of_dice_pushed_off() -> None:
    """R10.5."""
    game = table(players=1, leader=1, turn=1, row="J4=b1x3 T3=b2x1 vM1", luck=(2, 5, 2, 5, 6, 6))
    events = game.play("1:1x4 2:2x2")
    assert told(events, "ghost")[0] == Ghost((2, 5, 2), (Placement(0, 1, 5),), last=True)


def test_with_none_pushed_off_the_ghost_has_no_last_turn() -> None:
    """R10.5, section 12: Collect begins at once."""
    game = ghost_leads()
    events = game.play("recover")
    assert [event.type for event in events] == ["recover", "reveal"]
    assert game.view().leader == 0


def test_dice_the_ghost_never_placed_do_not_roll_on_its_last_turn() -> None:
    """R10.5: only dice that you pushed off."""
    game = table(players=1, leader=1, turn=1, row="J4=b1x6 T3 vM1", luck=(6,))
    events = game.play("2:1x6")
    assert told(events, "ghost") == []


def test_when_the_ghost_leads_it_places_before_you_and_your_turn_is_not_the_last() -> None:
    """R5.6, R10.2."""
    game = ghost_leads()
    assert game.actor == 0
    assert not game.view(0).is_last_turn
    assert can(game, 0, "1:2x4 2:1x6")


# Collect and the end.


def test_the_cards_the_ghost_holds_are_discarded() -> None:
    """R10.6."""
    game = haunted("I4 J3 vM1", 6, 5, 4)
    events = game.play("recover")
    assert told(events, "collect") == []
    assert [str(card) for card in game.view(0).discards] == ["I4", "J3", "M?"]


def test_the_ghost_never_rolls_for_exhaustion() -> None:
    """R10.1."""
    game = haunted("I4 J3 vM1", 6, 5, 4)
    events = game.play("recover")
    assert told(events, "roll") == []
    assert dice(game, 1) == (0, 0)
    assert holders(game)[0] == "b3x1"


def test_discards_that_were_face_up_may_be_looked_through_and_a_face_down_one_when_the_game_is_over() -> None:
    """R10.6."""
    game = table(players=1, discards="I4 J3 M1?", last_round=True, luck=(6, 5, 4))
    assert [str(card) for card in game.view(0).discards][:3] == ["I4", "J3", "M?"]
    finish(game)
    assert [str(card) for card in game.view(0).discards][:3] == ["I4", "J3", "M1"]


@pytest.mark.parametrize(
    ("score", "title"),
    [
        (29, "fool"),
        (30, "petty"),
        (39, "petty"),
        (40, "affluent"),
        (49, "affluent"),
        (50, "magnificent"),
        (3, "fool"),
    ],
)
def test_your_score_gives_you_a_title(score: int, title: str) -> None:
    """R10.7."""
    worth: list[str] = []
    for card in ["T4", "T3", *(f"{letter}{value}" for value in (4, 3, 2, 1) for letter in "IRPM")]:
        if 3 + sum(int(card[1]) for card in [*worth, card]) <= score:
            worth.append(card)
    game = finish(table(players=1, sides="AABBAB", collections=(" ".join(worth),), last_round=True))
    result = game.result()
    assert result is not None
    assert (result["title"], result["places"], result["winners"]) == (title, [1], [0])
    assert result["scores"] == [score]


# R10.8: all Collectors work; you are the only player who collects.


@pytest.mark.parametrize(
    ("collector", "sides", "collection", "coins"),
    [
        ("tapestry", "AAAAAA", "T1", 5),
        ("tapestry", "AAAAAA", "J1", 0),
        ("tapestry", "AAAAAB", "T1 T2 T3", 7),
        ("tapestry", "AAAAAB", "T1 T2", 0),
        ("idol", "BAAAAA", "I1 I2", 5),
        ("idol", "BAAAAA", "I1", 0),
        ("jewelry", "AAAAAA", "J1 J3", 3),
        ("jewelry", "ABAAAA", "J1 J3", 2),
        ("manuscript", "AAAAAA", "M1 M2", 5),
        ("pottery", "AAAAAA", "P1 P2 P3", 4),
        ("remains", "AAAABA", "R1 R2 R3 R4", 10),
    ],
)
def test_all_collectors_pay(collector: str, sides: str, collection: str, coins: int) -> None:
    """R10.8."""
    game = table(players=1, sides=sides, collections=(collection,), last_round=True, luck=UNEQUAL)
    assert bonuses(game, collector) == [coins]


def test_idol_a_rerolls_against_the_ghost() -> None:
    """R8.1A, R10.8."""
    game = table(players=1, row="J4=a1x6 T3=b1x1 vM1=b1x2", collections=("I1",), turn=2, luck=(1, 6))
    game.play("recover")
    game.play("reroll 1 I1")
    assert dice(game, 0) == (3, 0)


def test_manuscript_b_peeks_before_the_ghost_places() -> None:
    """R8.3B, R10.8: and its owner remembers what the Ghost takes away."""
    game = table(players=1, sides="AABAAA", row="J4 T3 vM1", collections=("M2",), luck=(6, 5, 4))
    game.play("peek; recover")
    assert holders(game) == ["b1x6", "b1x5", "b1x4"]
    game.play("recover")
    assert [str(card) for card in game.view(0).discards][-3:] == ["J4", "T3", "M1"]
    assert [str(card) for card in game.view().discards][-3:] == ["J4", "T3", "M?"]


def test_pottery_b_takes_before_the_ghost_places() -> None:
    """R8.4B, R10.8."""
    game = table(
        players=1,
        sides="BAABAA",
        leader=1,
        row="J4 T3 vI1",
        phase="pottery",
        collections=("P1 P2 I2",),
        luck=(6, 5, 4),
    )
    assert game.actor == 0
    events = game.play("take 3")
    assert [event.type for event in events] == ["take", "idols", "ghost"]
    assert holders(game) == ["b1x6", "b1x5", ""]


def test_remains_a_mends_at_any_time_and_at_the_end() -> None:
    """R8.5A, R9.2, R10.8."""
    game = table(
        players=1,
        row="J4=a1x6 T3 vM1",
        collections=("R1 R2 R3 R4",),
        exhausted=(2,),
        turn=2,
        last_round=True,
        luck=(1,),
    )
    game.play("mend R1 R2; recover")
    assert game.phase == "remains"
    game.play("mend R3 R4")
    assert game.is_over
    assert dice(game, 0) == (3, 0)


def test_nobody_plays_the_ghosts_seat() -> None:
    """R10.1: it neither acts nor looks."""
    game = table(players=1)
    with pytest.raises(IllegalAction) as refused:
        game.play("recover", seat=1)
    assert refused.value.reason is Reason.WRONG_SEAT
    with pytest.raises(ValueError, match="There is no seat 2: the last one is 1"):
        game.view(1)
