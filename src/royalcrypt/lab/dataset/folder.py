"""A data set on disk: a folder with a header, a file for each shard of each table, and checksums.

Every file is written atomically. A repeated run writes the shards that are still missing; the result is the
same.
"""

import hashlib
import json
import os
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, cast

from royalcrypt.lab.dataset.plans import STRONG, DatasetPlan, Shard
from royalcrypt.lab.dataset.rows import Rows, play_batch
from royalcrypt.lab.dataset.schema import NAMES, TYPES_OF, action_names, arrow_tables, kind_names, meaning
from royalcrypt.lab.frames import arrow, parquet
from royalcrypt.lab.simulate import batches
from royalcrypt.lab.worker_pools import WorkerPool
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import RULES
from royalcrypt.search.network import learned_weights

FORMAT, VERSION = "royalcrypt-dataset", 1
HEADER, README, SUMS = "dataset.json", "README.md", "SHA256SUMS"
DRAFT = ".part"


class DatasetFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_begun(self) -> bool:
        return (self.path / HEADER).exists()

    def header(self) -> dict[str, Any]:
        """The header of the data set; a folder without a header of this version is refused."""
        try:
            found: Any = json.loads((self.path / HEADER).read_text("utf-8"))
        except OSError as error:
            raise Refusal(Reason.CANNOT_READ, file=str(self.path / HEADER), why=str(error.strerror)) from None
        except ValueError:
            found = None
        header = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        if header.get("format") != FORMAT:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="head")
        if header.get("version") != VERSION or header.get("rules") != RULES:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="newer")
        return header

    def plan(self) -> DatasetPlan:
        header = self.header()
        try:
            return DatasetPlan.from_dict(header["plan"])
        except (KeyError, TypeError, ValueError):
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="head") from None

    def file(self, table: str, shard: Shard) -> Path:
        return self.path / table / f"part-{shard.index:05}.parquet"

    def has(self, shard: Shard) -> bool:
        return all(self.file(table, shard).exists() for table in NAMES)

    def begin(self, plan: DatasetPlan) -> None:
        """Write the header; a folder that another plan or program has begun is refused."""
        header = header_of(plan)
        if not self.is_begun:
            self.path.mkdir(parents=True, exist_ok=True)
            if any(not found.name.endswith(DRAFT) for found in self.path.iterdir()):
                raise Refusal(Reason.FILE_EXISTS, file=str(self.path))
            self._put(self.path / HEADER, json.dumps(header, indent=1, ensure_ascii=False).encode() + b"\n")
        elif self.header() != header:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="other")
        for table in NAMES:
            (self.path / table).mkdir(exist_ok=True)
        self._put(self.path / README, readme(plan).encode())

    def write(self, plan: DatasetPlan, shard: Shard, rows: Rows) -> None:
        for name, table in arrow_tables(plan, rows).items():
            self._put(self.file(name, shard), encoded(table, plan))

    def finish(self, plan: DatasetPlan) -> None:
        """Write the checksums, in the format of ``sha256sum --check``."""
        lines = [f"{checksum(self.path / name)}  {name}\n" for name in self.names(plan)]
        self._put(self.path / SUMS, "".join(lines).encode())
        for left in self.path.rglob(f"*{DRAFT}"):
            left.unlink(missing_ok=True)

    def names(self, plan: DatasetPlan) -> list[str]:
        """The names of all files except the checksums."""
        shards = [self.file(table, shard) for table in NAMES for shard in plan.shards()]
        return [README, HEADER, *(file.relative_to(self.path).as_posix() for file in shards)]

    def size(self, plan: DatasetPlan) -> int:
        """The total size of all files except the checksums, in bytes."""
        return sum((self.path / name).stat().st_size for name in self.names(plan))

    def _put(self, file: Path, content: Any) -> None:
        """Write a file atomically and durably."""
        draft = file.with_name(f"{file.name}.{os.getpid()}{DRAFT}")
        try:
            with draft.open("wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def write_dataset(
    plan: DatasetPlan, folder: DatasetFolder, pool: WorkerPool, on_games: Callable[[int], None]
) -> None:
    """Write all missing shards; ``on_games`` is called with the number of games of each finished batch."""
    folder.begin(plan)
    missing = {
        shard: list(batches(shard.numbers.stop, plan.batch, first=shard.numbers.start))
        for shard in plan.shards()
        if not folder.has(shard)
    }
    played = pool.map(partial(play_batch, plan), chain.from_iterable(missing.values()))
    for shard, parts in missing.items():
        rows: list[Rows] = []
        for numbers in parts:
            rows.append(next(played))
            on_games(len(numbers))
        folder.write(plan, shard, Rows.joined(rows))
    folder.finish(plan)


def encoded(table: Any, plan: DatasetPlan) -> Any:
    """The bytes of a Parquet file with the table; its metadata contains the plan."""
    about = {FORMAT: json.dumps({"version": VERSION, "rules": RULES, "plan": plan.to_dict()})}
    sink = arrow().BufferOutputStream()
    parquet().write_table(table.replace_schema_metadata(about), sink, compression="zstd")
    return sink.getvalue()


def checksum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def header_of(plan: DatasetPlan) -> dict[str, Any]:
    """The metadata that a reader needs in addition to the tables."""
    made_with = {"royalcrypt": version("royalcrypt")}
    if plan.bot == STRONG:
        made_with["weights"] = hashlib.sha256(learned_weights().tobytes()).hexdigest()
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES,
        "plan": plan.to_dict(),
        "made_with": made_with,
        "tables": {
            table: [
                {"name": column, "type": kind, "meaning": meaning(table, column)}
                for column, kind in columns.items()
            ]
            for table, columns in TYPES_OF.items()
        },
        "actions": action_names(),
        "kinds": kind_names(),
        "types": list(TYPE_NAMES),
    }


def readme(plan: DatasetPlan) -> str:
    lines = [say("dataset.readme.head", **plan.to_dict() | {"games": f"{plan.games:,}"}), ""]
    for table, columns in TYPES_OF.items():
        lines += [
            f"## {table}",
            "",
            say(f"dataset.table.{table}"),
            "",
            say("dataset.readme.columns"),
            "|---|---|---|",
        ]
        lines += [f"| `{column}` | {kind} | {meaning(table, column)} |" for column, kind in columns.items()]
        lines.append("")
    return "\n".join([*lines, say("dataset.readme.end")]) + "\n"
