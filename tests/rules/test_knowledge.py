"""What each player knows (R11)."""

import json
from fractions import Fraction

import pytest

from royalcrypt import Game
from royalcrypt.notation.events import Collect
from tests.rules.tables import Luck, cards, holders, table, told, treasures

BOTH = "AABBAA"


def everyone(game: Game) -> tuple[int | None, ...]:
    return (None, *range(game.players))


def odds(game: Game, viewer: int | None, letter: str) -> tuple[int, ...]:
    return game.view(viewer).unseen[letter]


def row(game: Game, viewer: int | None) -> list[str]:
    return [str(slot.card) for slot in game.view(viewer).row]


# R11.1: public.


def test_collectors_and_torches_are_public() -> None:
    """R11.1."""
    game = table(players=3, sides="ABABAB", leader=1)
    for viewer in everyone(game):
        view = game.view(viewer)
        assert (view.collectors, view.leader, view.lights_out) == ("ABABAB", 1, 0)


def test_the_row_and_who_occupies_what_with_which_dice_are_public() -> None:
    """R11.1."""
    game = table(players=3, row="J4=a1x2 T3 I1=c2x3 vM2", turn=1)
    for viewer in everyone(game):
        assert row(game, viewer) == ["J4", "T3", "I1", "M?"]
        assert [slot.holder for slot in game.view(viewer).row] == [0, None, 2, None]
        assert [slot.total for slot in game.view(viewer).row] == [2, 0, 6, 0]
    assert holders(game) == ["a1x2", "", "c2x3", ""]


def test_ready_and_exhausted_dice_are_public() -> None:
    """R1.6, R11.1."""
    game = table(players=3, exhausted=(0, 1, 3))
    for viewer in everyone(game):
        assert [(seat.ready, seat.exhausted) for seat in game.view(viewer).seats] == [(3, 0), (2, 1), (0, 3)]


def test_the_value_of_every_card_that_was_ever_face_up_or_flipped_is_public() -> None:
    """R11.1: in collections and among the discards."""
    game = table(collections=("I1 J2! M3?",), discards="T1 T2?")
    assert cards(game, 0, viewer=1) == ["I1", "J2", "M?"]
    assert [str(card) for card in game.view(1).discards][:2] == ["T1", "T?"]


def test_the_size_of_the_deck_and_the_type_of_its_top_card_are_public() -> None:
    """R1.2, R11.1."""
    game = table(top="R")
    for viewer in everyone(game):
        assert (game.view(viewer).deck, game.view(viewer).top) == (21, "R")


def test_every_roll_is_public() -> None:
    """R11.1."""
    game = table(row="J4=a2x4 T3 vM2", turn=2, luck=(3, 4))
    events = game.play("recover")
    for viewer in everyone(game):
        assert told(game.events_for(viewer, events), "roll") == told(events, "roll")


# R11.2: private.


def test_a_card_taken_face_down_is_private_to_its_owner() -> None:
    """R11.2."""
    game = table(players=3, collections=("I4?", "T1?"))
    assert (cards(game, 0, viewer=0), cards(game, 1, viewer=0)) == (["I4"], ["T?"])
    assert (cards(game, 0, viewer=1), cards(game, 1, viewer=1)) == (["I?"], ["T1"])
    assert (cards(game, 0, viewer=2), cards(game, 1, viewer=2)) == (["I?"], ["T?"])


def test_what_one_player_peeked_at_is_private() -> None:
    """R11.2."""
    game = table(sides=BOTH, row="J4 T3 vM2?1")
    assert [row(game, viewer)[2] for viewer in (None, 0, 1)] == ["M?", "M?", "M2"]


# R11.3: nobody.


def test_nobody_knows_a_card_discarded_face_down() -> None:
    """R11.3."""
    game = table(row="J4 T3 vM2", turn=2)
    game.play("recover")
    for viewer in everyone(game):
        assert [str(card) for card in game.view(viewer).discards] == ["J4", "T3", "M?"]
        assert odds(game, viewer, "M")[1] == 1


def test_nobody_knows_the_next_cards_beyond_the_type_on_top() -> None:
    """R11.3: games that differ only in what comes look the same now."""
    one = Game.new(players=2, chance=Luck("I1", "J1", "M1", "P", "P1", "P2", "P3", "R"))
    other = Game.new(players=2, chance=Luck("I1", "J1", "M1", "P", "P4", "T2", "T3", "I"))
    for viewer in everyone(one):
        assert one.view(viewer).to_dict() == other.view(viewer).to_dict()


# R11.4: what was peeked at stays known.


def peeked() -> Game:
    """Seat 1 has peeked at the face-down M2."""
    return table(players=3, sides=BOTH, row="J4 T3 I1 vM2?1", turn=2, peeked=(1,))


def test_a_peeked_card_stays_known_when_somebody_else_claims_it() -> None:
    """R11.4."""
    game = peeked()
    events = game.play("4:1x1")
    assert [cards(game, 2, viewer=viewer) for viewer in (0, 1, 2)] == [["M?"], ["M2"], ["M2"]]
    for viewer, name in ((None, "M?"), (0, "M?"), (1, "M2"), (2, "M2")):
        assert told(game.events_for(viewer, events), "collect") == [Collect(2, treasures(name))]


def test_a_peeked_card_stays_known_among_the_discards() -> None:
    """R11.4."""
    game = peeked()
    game.play("recover")
    assert str(game.view(1).discards[-1]) == "M2"
    for viewer in (None, 0, 2):
        assert str(game.view(viewer).discards[-1]) == "M?"


def test_a_peeked_card_stays_known_when_somebody_else_takes_it_with_pottery() -> None:
    """R11.4."""
    game = table(players=3, sides=BOTH, row="J4 T3 I1 vM2", phase="pottery", collections=("P1 P2", "M3"))
    game.play("peek", seat=1)
    game.play("take 4")
    assert [cards(game, 0, viewer=viewer)[-1] for viewer in (0, 1, 2)] == ["M2", "M2", "M?"]
    assert str(game.view().seats[0].cards[-1]) == "M?"


def test_a_peeked_card_stays_known_for_the_rest_of_the_game() -> None:
    """R11.4: also rounds later."""
    game = peeked()
    game.play("4:1x1")
    for _ in range(6):
        game.play("recover")
    assert cards(game, 2, viewer=1) == ["M2"]
    assert cards(game, 2, viewer=0) == ["M?"]


def test_who_peeks_at_a_card_before_taking_it_knows_no_more_than_after() -> None:
    """R11.4: its other viewers learn nothing from either."""
    game = table(sides=BOTH, row="J4 T3 vM2?0=a1x1", turn=2, peeked=(0,))
    game.play("recover")
    assert cards(game, 0, viewer=1) == ["M?"]


# R11.5: beliefs count.


def test_beliefs_count_the_cards_whose_place_the_viewer_does_not_know() -> None:
    """R11.5: two players, one card of each kind."""
    game = table(row="J4 T3 vM2", collections=("M4 M1?",))
    assert odds(game, 1, "M") == odds(game, None, "M") == (1, 1, 1, 0)
    assert odds(game, 0, "M") == (0, 1, 1, 0)
    hidden = game.view(1).row[2].card
    assert hidden is not None
    assert hidden.belief() == (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), Fraction(0))
    assert hidden.expected() == 2
    hidden = game.view(0).row[2].card
    assert hidden is not None
    assert hidden.belief() == (0, Fraction(1, 2), Fraction(1, 2), 0)
    assert hidden.expected() == 2.5


def test_beliefs_count_each_copy() -> None:
    """R11.5: three players, values 2 and 3 twice."""
    game = table(players=3, row="J4 T3 I1 vM2")
    card = game.view(0).row[3].card
    assert card is not None
    assert card.odds == (1, 2, 2, 1)
    assert card.belief() == (Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6))


def test_beliefs_do_not_infer() -> None:
    """R11.5: that an opponent claims a peeked card tells nothing by the count."""
    game = table(sides=BOTH, row="J4 T3 vM4?1=b3x6", turn=2, peeked=(1,))
    card = game.view(0).row[2].card
    assert card is not None
    assert card.odds == (1, 1, 1, 1)


def test_hidden_cards_in_collections_and_discards_have_the_same_odds_as_those_in_the_deck() -> None:
    """R11.5."""
    game = table(collections=("M1?",), discards="M2?", row="J4 T3 vM3")
    view = game.view(1)
    hidden = [view.seats[0].cards[0], view.discards[0], view.row[2].card]
    assert [card.odds for card in hidden if card is not None] == [(1, 1, 1, 1)] * 3


def test_of_a_known_card_the_belief_is_certain() -> None:
    """R11.5."""
    card = table(row="J4 T3 vM3").view(0).row[0].card
    assert card is not None
    assert (card.odds, card.belief(), card.expected()) == (None, (0, 0, 0, 1), 4)


def test_a_card_that_must_be_what_it_is_is_believed_with_certainty() -> None:
    """R11.5: all others of its type are known."""
    card = table(row="J4 T3 vM3", collections=("M1 M2", "M4!")).view(0).row[2].card
    assert card is not None
    assert card.value is None
    assert card.belief() == (0, 0, 1, 0)


def test_beliefs_sum_to_the_cards_a_viewer_cannot_place() -> None:
    """R11.5: the deck and the hidden cards."""
    game = table(players=4, collections=("M1? T1?", "P1?"), discards="J1?")
    for viewer, known in ((None, 0), (0, 2), (1, 1), (2, 0)):
        view = game.view(viewer)
        assert sum(map(sum, view.unseen.values())) == view.deck + 2 + 4 - known


# R11.6: nothing else.


def test_two_games_that_differ_only_in_what_a_viewer_may_not_know_give_the_same_bytes() -> None:
    """R11.6."""
    one = table(row="J4 T3 vM2", collections=("I1? R3", "P1?"), discards="T1? R1 R2")
    other = table(row="J4 T3 vM4", collections=("I1? R3", "P3?"), discards="T4? R1 R2")
    assert json.dumps(one.view(0).to_dict()) == json.dumps(other.view(0).to_dict())
    assert json.dumps(one.view(1).to_dict()) != json.dumps(other.view(1).to_dict())


def test_running_scores_count_only_what_the_viewer_knows() -> None:
    """R11.6."""
    game = table(sides="ABBBAB", collections=("I4? R3", "P1?"))
    assert game.view(0).scores == (10, 3)
    assert game.view(1).scores == (6, 4)
    assert game.view().scores == (6, 3)


# Spectators and the claim form.


def test_a_spectator_has_public_knowledge_and_nothing_to_do() -> None:
    """R11.1."""
    game = table(collections=("I4?", "P1?"))
    view = game.view()
    assert (view.seat, view.actions, view.form, list(view.moves())) == (None, (), None, [])
    assert [str(card) for seat in view.seats for card in seat.cards] == ["I?", "P?"]


def test_the_claim_form_tells_all_a_client_needs_to_add_and_compare() -> None:
    """R5.3, R5.4, R5.6, R6.3."""
    game = table(players=3, row="J4=a1x2 T3=b1x6 I1 vM2", exhausted=(0, 0, 1), turn=1)
    form = game.view(1).form
    assert form is not None
    assert (form.ready, form.least, form.one_card_only) == (2, (3, None, 1, 1), False)
    assert [form.risk(effort) for effort in range(1, 7)] == [Fraction(n, 6) for n in range(6)]
    assert form.rivals == ((2, 2),)
    assert game.view(0).form is None
    assert game.view(2).form is None


def test_with_two_players_the_leader_is_still_to_come() -> None:
    """R5.6."""
    form = table(turn=1).view(1).form
    assert form is not None
    assert form.rivals == ((0, 3),)
    form = table().view(0).form
    assert form is not None
    assert form.rivals == ((1, 3),)


@pytest.mark.parametrize(
    ("leader", "turn", "row", "pushed", "rivals"),
    [
        (0, 0, "J4 T3 vM1", 0, ((1, 3),)),
        (0, 2, "J4=b1x6 T3=b2x1 vM1", 0, ()),
        (1, 1, "J4=b1x6 T3=b2x1 vM1", 0, ((1, 0),)),
        (1, 1, "J4=b1x6 T3 vM1", 0, ((1, 0),)),
        (1, 1, "J4=b1x6 T3 vM1", 2, ((1, 2),)),
    ],
)
def test_the_ghost_is_told_with_the_dice_it_can_still_roll(
    leader: int, turn: int, row: str, pushed: int, rivals: tuple[tuple[int, int], ...]
) -> None:
    """R10.1, R10.5: what it set aside or has placed is not rolled on its last turn."""
    form = table(players=1, leader=leader, turn=turn, row=row, pushed=pushed).view(0).form
    assert form is not None
    assert form.rivals == rivals
