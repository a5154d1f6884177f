"""Laws that hold in every game."""

import json
import random
from collections import Counter
from dataclasses import replace

import msgspec
from hypothesis import given, settings

from royalcrypt import Game, Move, Record, Refusal, View
from royalcrypt.play.rulings import legal_codes
from royalcrypt.play.views import view_of
from royalcrypt.rules.cards import COPIES
from royalcrypt.rules.layout import NOBODY, NONE, State, copy_of, dump
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import apply
from tests.oracle.referee import referee
from tests.properties.games import Line, lines, played, played_to_end, random_move


def cards_in(state: State) -> Counter[int]:
    """Every card by kind, wherever it lies."""
    cards = Counter({kind: state.unseen[kind] for kind in range(24)})
    cards.update(state.card_type[card] * 4 + state.card_value[card] - 1 for card in range(state.drawn))
    return cards


def dice_of(state: State, seat: int) -> int:
    slots = [state.slots[position] for position in range(row_length(state))]
    return (
        state.players[seat].ready
        + state.players[seat].exhausted
        + sum(slot.dice for slot in slots if slot.holder == seat)
    )


@given(lines())
def test_cards_and_dice_are_conserved(line: Line) -> None:
    """R1.1, R1.3, R2.1."""
    for game in played(line):
        state = game.state
        assert cards_in(state) == {kind: COPIES[state.seats][kind % 4] for kind in range(24)}
        assert [dice_of(state, seat) for seat in range(state.seats)] == [3] * state.seats
        assert state.deck == sum(state.unseen[kind] for kind in range(24))


@given(lines())
@settings(max_examples=40)
def test_the_legal_list_is_never_empty_before_the_end_and_every_listed_action_applies(line: Line) -> None:
    for game in played(line):
        state = game.state
        assert bool(legal_codes(state, state.actor)) != game.is_over
        for seat in range(game.players):
            for code in legal_codes(state, seat):
                after = copy_of(state)
                apply(after, seat, code)
                assert after.actor != NOBODY or after.round_number == game.view().rounds
                assert after.decisions == state.decisions + 1


@given(lines(most_moves=12))
@settings(max_examples=25)
def test_every_move_a_view_offers_can_be_played_and_says_what_it_is(line: Line) -> None:
    game = played_to_end(line)
    if game.is_over:
        return
    for seat in range(game.players):
        for number, move in enumerate(game.view(seat).moves()):
            assert Move.parse(str(move)) == move
            if number % 37 == 0:
                twin = game.clone()
                twin.play(move, seat=seat)
                assert twin.moves[-1] == (seat, move)


@given(lines())
@settings(max_examples=60)
def test_positions_set_the_game_up_again(line: Line) -> None:
    game = played_to_end(line)
    again = Game.from_position(game.position())
    assert again.position() == game.position()
    assert eval(repr(game), {"Game": Game}).position() == game.position()
    for seat in (None, *range(game.players)):
        assert again.view(seat).to_dict() == game.view(seat).to_dict()


@given(lines(most_moves=200))
@settings(max_examples=40)
def test_a_position_goes_on_as_the_game_it_was_taken_from(line: Line) -> None:
    game = played_to_end(line)
    again = Game.from_position(game.position(), seed=line.seed)
    rest = Line(line.players, line.collectors, line.leader, line.seed, 30)
    for _ in range(rest.moves):
        if game.is_over:
            break
        move = next(iter(game.view(game.actor).moves()))
        assert game.play(move) == again.play(move)
        assert game.position() == again.position()


@given(lines(most_moves=200))
@settings(max_examples=40)
def test_records_are_read_as_they_were_written(line: Line) -> None:
    game = played_to_end(line)
    text = game.record().to_json()
    again = Game.from_record(json.loads(text))
    assert again.record().to_json() == text
    assert again.position() == game.position()
    assert Record.parse(text).to_json() == text
    if game.is_over:
        referee(json.loads(text))


@given(lines())
@settings(max_examples=40)
def test_a_move_taken_back_and_made_again_meets_the_same_chance(line: Line) -> None:
    """RECORD.md, Chance."""
    game = played_to_end(line)
    if not game.moves:
        return
    seat, move = game.moves[-1]
    before = game.position()
    events = game.events[:]
    assert game.undo() == move
    game.play(move, seat=seat)
    assert game.position() == before
    assert game.events == events


@given(lines())
@settings(max_examples=30)
def test_a_clone_goes_its_own_way(line: Line) -> None:
    game = played_to_end(line)
    if game.is_over:
        return
    twin = game.clone()
    before = dump(game.state), len(game.events), len(game.moves)
    twin.play(next(iter(twin.view(twin.actor).moves())))
    assert (dump(game.state), len(game.events), len(game.moves)) == before
    assert twin.position() != game.position()


@given(lines())
@settings(max_examples=40)
def test_a_move_that_is_tried_leaves_the_game_as_it_was(line: Line) -> None:
    game = line.begin()
    for after in played(line):
        if after.moves:
            seat, move = after.moves[-1]
            before = dump(game.state), game.events[:], game.moves[:]
            twin = game.tried(move, seat=seat)
            assert (dump(game.state), game.events, game.moves) == before
            assert twin.events[len(game.events) :] == game.play(move, seat=seat)
            assert (dump(twin.state), twin.events, twin.moves) == (dump(game.state), game.events, game.moves)


@given(lines())
@settings(max_examples=40)
def test_moves_are_kept_as_their_small_decisions_spell_them(line: Line) -> None:
    """Also where the flips were left open."""
    rng = random.Random(line.seed)
    game = line.begin()
    for _ in range(line.moves):
        if game.is_over:
            break
        seat, move = random_move(game, rng)
        brief = Move(tuple(replace(action, flip=()) for action in move.actions))
        try:
            game.play(brief, seat=seat)
        except Refusal:
            game.play(move, seat=seat)
        kept = game.moves[-1][1]
        assert kept.names_its_flips
        if brief == move:
            assert kept == move


@given(lines(most_moves=200))
@settings(max_examples=40)
def test_a_view_is_the_same_in_another_process_and_as_json(line: Line) -> None:
    game = played_to_end(line)
    for seat in (None, *range(game.players)):
        for remembers in (True, False):
            view = game.view(seat, remembers=remembers)
            again = View.unpack(view.pack())
            assert again == view
            assert dump(again.known) == dump(view.known)
            assert view_of(view.known, seat, remembers=remembers) == view
            assert msgspec.json.decode(view.to_json(), type=View) == view
            assert view.to_dict() == json.loads(view.to_json())


@given(lines())
@settings(max_examples=30)
def test_a_whole_claim_is_never_left_open(line: Line) -> None:
    for game in played(line):
        assert game.state.last_slot == NONE
        assert game.state.errand == 0
