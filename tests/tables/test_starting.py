"""The start: full tables only, what is left to chance is drawn, and the record names who plays."""

import hashlib

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Seat
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Started
from royalcrypt.tables.journal import Status
from tests.tables.leading import ADA, BO, CLEO, NOON, SECRET, ended, game_of, opened, sat, seated, started


def test_only_a_full_table_starts_and_only_for_its_owner() -> None:
    table = sat(opened(ADA, players=3), ADA, 0)
    with pytest.raises(Refusal) as empty:
        commands.start(table, "ada", now=NOON)
    assert (empty.value.reason, empty.value.details) == (Reason.SEATS_EMPTY, {"count": 2})
    full = seated(ADA, BO)
    with pytest.raises(Refusal) as stranger:
        commands.start(full, "bo", now=NOON)
    assert stranger.value.reason is Reason.NOT_OWNER


def test_a_kept_seat_is_still_empty() -> None:
    table = sat(opened(ADA, reserved=(ADA, BO)), ADA, 0)
    with pytest.raises(Refusal) as refused:
        commands.start(table, "ada", now=NOON)
    assert refused.value.reason is Reason.SEATS_EMPTY


def test_sides_and_leader_are_drawn_where_they_were_left_open() -> None:
    drawn = [commands.start(seated(ADA, BO, CLEO, collectors="A?B?A?"), "ada", now=NOON) for _ in range(60)]
    found = [entry for entry in drawn if isinstance(entry, Started)]
    assert len(found) == len(drawn)
    assert {(entry.collectors[0], entry.collectors[2], entry.collectors[4]) for entry in found} == {
        ("A", "B", "A")
    }
    assert all({entry.collectors[place] for entry in found} == {"A", "B"} for place in (1, 3, 5))
    assert {entry.leader for entry in found} == {0, 1, 2}


def test_sides_and_leader_that_were_chosen_stay() -> None:
    table = started(ADA, BO, collectors="ABABAB", leader=1)
    assert (game_of(table).collectors, table.actor, table.leader) == ("ABABAB", 1, 1)


def test_a_game_against_the_ghost_needs_one_person() -> None:
    table = started(ADA, players=1, leader="random")
    assert (table.status, table.actor) == (Status.RUNNING, 0)
    assert ended(table).status is Status.OVER


def test_a_screen_may_be_shared() -> None:
    table = started(ADA, ADA, ADA)
    assert table.seats_of("ada") == [0, 1, 2]
    assert ended(table).status is Status.OVER


def test_the_record_names_seats_kinds_entropy_and_the_moment_of_the_start() -> None:
    table = seated(ADA, BO, CLEO, players=4, leader=0, bots=[{"seat": 3, "level": "greedy"}])
    record = game_of(table.after(commands.start(table, "ada", now=NOON))).record().to_dict()
    assert record["game"]["seats"] == [
        {"name": "Ada", "kind": "human"},
        {"name": "Bo", "kind": "human"},
        {"name": "Cleo", "kind": "human"},
        {"name": "greedy", "kind": "bot:greedy"},
    ]
    assert (record["game"]["id"], record["game"]["created"]) == ("table", "2027-01-15T08:00:00Z")
    assert record["fairness"]["entropy"] == ["Ada", "Bo", "Cleo"]


def test_the_commitment_stands_from_the_opening_to_the_end_and_the_game_keeps_it() -> None:
    table = seated(ADA, BO)
    assert table.commitment == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
    over = ended(table.after(commands.start(table, "ada", now=NOON)))
    record = game_of(over).record().to_dict()
    assert record["fairness"]["commitment"] == table.commitment
    assert record["fairness"]["seed"] == SECRET
    assert game_of(over).seats == (Seat("Ada"), Seat("Bo"))
