"""Data sets: every game can be played again, and the same plan gives the same bytes, interrupted or not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.dataset import Dataset
from royalcrypt.lab.dataset.folder import SUMS, DatasetFolder, write_dataset
from royalcrypt.lab.dataset.plans import DatasetPlan
from royalcrypt.lab.dataset.reader import FileFault, check_shard, replayed
from royalcrypt.lab.dataset.rows import UnsoundSteps, play_batch, trace_games
from royalcrypt.lab.dataset.schema import NAMES, TYPES_OF, action_names
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.tables import Setting
from royalcrypt.lab.worker_pools import SerialPool, worker_pool
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.replay import replay
from royalcrypt.rules.actions import ACTIONS

ROOT = Path(__file__).parents[2]
PLAN = DatasetPlan(games=26, players=None, seed=5, shard=10)


class Stop(Exception):  # noqa: N818 (it is no error)
    """Somebody pulls the plug."""


def written(plan: DatasetPlan, folder: Path, jobs: int = 1) -> Path:
    with worker_pool(jobs) as pool:
        write_dataset(plan, DatasetFolder(folder), pool, lambda _: None)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {
        found.relative_to(folder).as_posix(): found.read_bytes()
        for found in sorted(folder.rglob("*"))
        if found.is_file()
    }


def findings(folder: Path) -> list[FileFault]:
    shards = Dataset(folder).plan.shards()
    return [fault for shard in shards for fault in check_shard(folder, shard)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(PLAN, tmp_path_factory.mktemp("dataset") / "all")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_kernel_plays_just_as_heir_does_at_a_table(players: int, tmp_path: Path) -> None:
    """To the last byte of the records that ``royalcrypt simulate`` writes."""
    games = 3
    setting = Setting(players, ("heir",) * players, seed=9, collectors=None, leader=None)
    lines = [outcome.line for outcome in simulate(setting, games, plain_backend(), is_recorded=True)]
    found = Dataset(written(DatasetPlan(games=games, players=players, seed=9), tmp_path / "set"))
    assert [record.to_json() for record in found.records()] == lines


def test_every_game_is_told_as_the_rules_tell_it(folder: Path) -> None:
    found = Dataset(folder)
    seats, decisions = found.frame("seats"), found.frame("decisions")
    games = found.frame("games")
    assert games["game"].tolist() == list(range(PLAN.games))
    assert games["players"].tolist() == [1 + number % 4 for number in range(PLAN.games)]
    for number in range(8):
        game = replay(found.record(number))
        result = game.result()
        assert result is not None
        mine: Any = seats[seats["game"] == number]
        assert mine["score"].tolist() == result["scores"] == games["scores"][number].tolist()
        assert mine["place"].tolist() == result["places"]
        assert games["winners"][number].tolist() == result["winners"]
        assert mine["treasure"].tolist() == [one["treasure"] for one in result["breakdown"]]
        assert mine["bonus_remains"].tolist() == [one["collectors"]["remains"] for one in result["breakdown"]]
        taken: Any = decisions[decisions["game"] == number]
        assert len(taken) == game.state.decisions == games["decisions"][number]
        steps = games["steps"][number]
        assert taken["action"].tolist() == steps[taken["step"]].tolist()


def test_seats_take_turns_to_lead_at_every_size_of_table() -> None:
    leaders = {(plan.players, plan.leader) for plan in map(PLAN.setting, range(48))}
    assert leaders == {(players, seat) for players in (1, 2, 3, 4) for seat in range(players)}


def test_hopes_are_chances_and_scores_and_come_with_those_bots_only_that_tell_them(folder: Path) -> None:
    told = Dataset(folder).frame("decisions")
    assert told["win"].between(0, 1).all()
    assert told["score"].between(0, 90).all()
    assert (told["legal"] >= 1).all()
    rows = play_batch(DatasetPlan(games=1, bot="greedy"), range(1))
    assert "win" not in rows.decisions


def test_other_bots_are_asked_move_by_move_and_written_alike(tmp_path: Path) -> None:
    plan = DatasetPlan(games=3, players=3, bot="novice", seed=4, collectors="BABABB", shard=2)
    folder = written(plan, tmp_path / "set")
    setting = Setting(3, ("novice",) * 3, seed=4, collectors="BABABB", leader=None)
    lines = [outcome.line for outcome in simulate(setting, 3, plain_backend(), is_recorded=True)]
    assert [record.to_json() for record in Dataset(folder).records()] == lines
    assert Dataset(folder).frame("decisions")["win"].isna().all()
    assert findings(folder) == []


def test_several_processes_write_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert content(written(PLAN, tmp_path / "two", jobs=2)) == content(folder)


def test_whoever_is_interrupted_goes_on_and_ends_with_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    path, games = tmp_path / "set", 0

    def stop_in_the_second_shard(played: int) -> None:
        nonlocal games
        games += played
        if games > PLAN.shard:
            raise Stop

    with pytest.raises(Stop):
        write_dataset(PLAN, DatasetFolder(path), SerialPool(), stop_in_the_second_shard)
    there = {name for name in content(path) if name.endswith("parquet")}
    assert there == {f"{table}/part-00000.parquet" for table in NAMES}
    (path / "games" / "part-00001.parquet.1.part").write_bytes(b"half")
    begun: list[int] = []
    write_dataset(PLAN, DatasetFolder(path), SerialPool(), begun.append)
    assert sum(begun) == PLAN.games - PLAN.shard
    assert content(path) == content(folder)


@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"players": 5}, {"players": 0}, {"seed": -1}, {"collectors": "AB"}], ids=str
)
def test_what_is_no_plan_is_refused_before_anything_is_written(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no plan"):
        Dataset.make(tmp_path / "set", **{"games": 1} | wrong)
    assert not (tmp_path / "set").exists()


def test_one_that_is_there_is_opened_and_not_made_again(folder: Path) -> None:
    before = content(folder)
    found = Dataset.make(folder, games=26, players=None, seed=5, shard=10)
    assert found.plan == PLAN
    assert content(folder) == before


def test_a_sound_data_set_is_found_sound(folder: Path) -> None:
    assert findings(folder) == []


def shorten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("spoil", "why"), [(Path.unlink, "missing"), (shorten, "changed")], ids=["missing", "changed"]
)
def test_a_spoiled_file_is_found(spoil: Any, why: str, tmp_path: Path) -> None:
    folder = written(DatasetPlan(games=2), tmp_path / "set")
    spoil(folder / "seats" / "part-00000.parquet")
    assert findings(folder) == [FileFault("seats/part-00000.parquet", why)]


def test_a_score_that_the_steps_do_not_bring_is_found(tmp_path: Path) -> None:
    plan = DatasetPlan(games=2)
    folder = DatasetFolder(written(plan, tmp_path / "set"))
    rows = play_batch(plan, range(2))
    rows.seats["score"][0] += 1
    folder.write(plan, plan.shards()[0], rows)
    folder.finish(plan)
    assert [finding.kind for finding in findings(folder.path)] == ["untrue", "untrue"]


@pytest.mark.parametrize("at", [0, 4, -1], ids=["a card", "a decision", "the end"])
def test_steps_that_the_deal_does_not_allow_are_found(at: int) -> None:
    plan = DatasetPlan(games=1)
    steps = play_batch(plan, range(1)).games["steps"]
    changed = steps.copy()
    changed[at] = ACTIONS
    with pytest.raises(UnsoundSteps):
        trace_games(plan, range(1), [changed])
    with pytest.raises(UnsoundSteps):
        replayed(plan.deal(0), changed.tolist())
    with pytest.raises(UnsoundSteps):
        trace_games(plan, range(1), [steps[:-1]])
    with pytest.raises(UnsoundSteps):
        replayed(plan.deal(0), np.append(steps, 0).tolist())


def test_a_folder_of_another_program_is_not_gone_on_with(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "set"
    path.mkdir()
    (path / "dataset.json").write_text(
        (folder / "dataset.json").read_text("utf-8").replace('"weights": "', '"weights": "0'), "utf-8"
    )
    with pytest.raises(Refusal) as refused:
        DatasetFolder(path).begin(PLAN)
    assert (refused.value.reason, refused.value.details["why"]) == (Reason.NOT_A_DATASET, "other")


def test_the_head_names_every_column_and_action(folder: Path) -> None:
    head = DatasetFolder(folder).header()
    assert {name: [one["name"] for one in columns] for name, columns in head["tables"].items()} == {
        name: Dataset(folder).table(name).column_names for name in NAMES
    }
    assert len(head["actions"]) == len(set(head["actions"])) == ACTIONS
    assert action_names()[0] == "1:1x1"


def test_the_checksums_are_those_of_all_files(folder: Path) -> None:
    names = {line.split("  ")[1] for line in (folder / SUMS).read_text("ascii").splitlines()}
    assert names == set(content(folder)) - {SUMS}


def test_the_documents_tell_of_every_column() -> None:
    page = (ROOT / "docs" / "dataset.md").read_text("utf-8")
    for table, columns in TYPES_OF.items():
        assert f"`{table}`" in page
        for column in columns:
            told = f"{column.partition('_')[0]}_*" if column.startswith(("bonus_", "held_")) else column
            assert f"| `{told}` |" in page, column


def test_a_game_that_is_not_in_the_set_is_refused(folder: Path) -> None:
    with pytest.raises(Refusal) as refused:
        Dataset(folder).game(PLAN.games)
    assert refused.value.reason is Reason.NUMBER_OUT_OF_RANGE
    with pytest.raises(Refusal):
        Dataset(folder).table("dice")
