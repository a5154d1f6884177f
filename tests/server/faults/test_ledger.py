"""The ledger notices what it is there to notice."""

from pathlib import Path

from tests.server.faults.ledger import Json, Kept, Ledger, lost, there_twice, unfinished, unsound

CLAIM = {"do": "claim", "place": [{"slot": 0, "dice": 2, "effort": 3}]}
MOVES = [("recover", 0), ("1:2x3", 1), ("recover", 0)]


def moved(move: str, seat: int, **more: Json) -> Json:
    return {"type": "moved", "at": 1, "seat": seat, "move": move} | more


def played() -> tuple[Ledger, Kept]:
    """A table whose first entry is its opening, and what people know of it."""
    ledger = Ledger()
    for ply, (move, seat) in enumerate(MOVES, 1):
        do = (
            {"do": "recover"}
            if move == "recover"
            else {"do": "claim", "place": [{"slot": 0, "dice": 2, "effort": 3}]}
        )
        sent = ledger.send({"type": "act", "table": "table-1", "seat": seat, "ply": ply, "actions": [do]})
        ledger.acknowledge("table-1", ply + 1, sent)
        ledger.tell("table-1", ply + 1)
    entries = [{"type": "opened"}, *(moved(move, seat) for move, seat in MOVES)]
    return ledger, Kept({"table-1": entries}, {"table-1": "over"}, {"table-1": b"{}"})


def test_all_is_well_where_everything_is_there_once() -> None:
    ledger, kept = played()
    assert (lost(ledger, kept), there_twice(ledger, kept), unfinished(["table-1"], kept)) == (0, 0, 0)


def test_a_move_that_is_gone_is_lost() -> None:
    ledger, kept = played()
    kept.entries["table-1"].pop()
    assert lost(ledger, kept) > 0


def test_a_move_that_became_another_or_a_bots_is_lost() -> None:
    for other in (moved("recover", 1), moved("1:1x1", 0), {"type": "closed"}):
        ledger, kept = played()
        kept.entries["table-1"][3] = other
        assert lost(ledger, kept) == 1


def test_a_whole_table_can_be_lost() -> None:
    ledger, kept = played()
    kept.entries.clear()
    assert lost(ledger, kept) > 0


def test_a_move_can_be_there_twice() -> None:
    ledger, kept = played()
    kept.entries["table-1"].append(moved("1:2x3", 1))
    assert there_twice(ledger, kept) == 1


def test_a_game_without_an_end_or_a_record_is_not_finished() -> None:
    _, kept = played()
    assert unfinished(["table-1", "table-2"], kept) == 1
    kept.records.clear()
    assert unfinished(["table-1"], kept) == 1


def test_a_record_of_nothing_is_not_sound(tmp_path: Path) -> None:
    _, kept = played()
    assert unsound(kept, tmp_path) == 3
