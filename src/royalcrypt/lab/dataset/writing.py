"""A data set on disk: a folder with a head, files for every shard of every table, and their checksums.

Whatever is there is whole: files are put in their place when they are finished. So whoever is interrupted
goes on with the first shard that is missing, and what comes out is the same.
"""

import hashlib
import json
import os
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from royalcrypt.lab.crew import Crew
from royalcrypt.lab.dataset.plans import STRONG, Plan, Shard
from royalcrypt.lab.dataset.playing import Batch, Rows, play_batch
from royalcrypt.lab.dataset.schema import NAMES, TYPES_OF, action_names, arrow_tables, kind_names, meaning
from royalcrypt.lab.frames import arrow, parquet
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import RULES
from royalcrypt.search.network import learned_weights

FORMAT, VERSION = "royalcrypt-dataset", 1
HEAD, README, SUMS = "dataset.json", "README.md", "SHA256SUMS"
DRAFT = ".part"


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_begun(self) -> bool:
        return (self.path / HEAD).exists()

    def head(self) -> dict[str, Any]:
        """What the folder says of itself; refused if it is no data set, or one that is read otherwise."""
        try:
            found: Any = json.loads((self.path / HEAD).read_text("utf-8"))
        except OSError as error:
            raise Refusal(Reason.CANNOT_READ, file=str(self.path / HEAD), why=str(error.strerror)) from None
        except ValueError:
            found = None
        head = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        if head.get("format") != FORMAT:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="head")
        if head.get("version") != VERSION or head.get("rules") != RULES:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="newer")
        return head

    def plan(self) -> Plan:
        head = self.head()
        try:
            return Plan.from_dict(head["plan"])
        except (KeyError, TypeError, ValueError):
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="head") from None

    def file(self, table: str, shard: Shard) -> Path:
        return self.path / table / f"part-{shard.index:05}.parquet"

    def has(self, shard: Shard) -> bool:
        return all(self.file(table, shard).exists() for table in NAMES)

    def begin(self, plan: Plan) -> None:
        """Write the head, or make sure that it is just this plan's and made with just this program."""
        head = head_of(plan)
        if not self.is_begun:
            self.path.mkdir(parents=True, exist_ok=True)
            if any(not found.name.endswith(DRAFT) for found in self.path.iterdir()):
                raise Refusal(Reason.FILE_EXISTS, file=str(self.path))
            self._put(self.path / HEAD, json.dumps(head, indent=1, ensure_ascii=False).encode() + b"\n")
        elif self.head() != head:
            raise Refusal(Reason.NOT_A_DATASET, folder=str(self.path), why="other")
        for table in NAMES:
            (self.path / table).mkdir(exist_ok=True)
        self._put(self.path / README, readme(plan).encode())

    def write(self, plan: Plan, shard: Shard, rows: Rows) -> None:
        for name, table in arrow_tables(plan, rows).items():
            self._put(self.file(name, shard), encoded(table, plan))

    def finish(self, plan: Plan) -> None:
        """Write down the checksums, in the form that ``sha256sum --check`` reads."""
        lines = [f"{checksum(self.path / name)}  {name}\n" for name in self.names(plan)]
        self._put(self.path / SUMS, "".join(lines).encode())
        for left in self.path.rglob(f"*{DRAFT}"):
            left.unlink(missing_ok=True)

    def names(self, plan: Plan) -> list[str]:
        """Of all files but the checksums."""
        shards = [self.file(table, shard) for table in NAMES for shard in plan.shards()]
        return [README, HEAD, *(file.relative_to(self.path).as_posix() for file in shards)]

    def size(self, plan: Plan) -> int:
        """Bytes of all that."""
        return sum((self.path / name).stat().st_size for name in self.names(plan))

    def _put(self, file: Path, content: Any) -> None:
        """The file is whole or not there, also after a power cut."""
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


def write(plan: Plan, folder: Folder, crew: Crew, tell: Callable[[int], None]) -> None:
    """All shards that are not there yet; ``tell`` hears of games as they are played."""
    folder.begin(plan)
    missing = [shard for shard in plan.shards() if not folder.has(shard)]
    played = crew.do(
        play_batch,
        (Batch(plan, numbers) for shard in missing for numbers in shard.batches(plan.batch)),
    )
    for shard in missing:
        rows: list[Rows] = []
        for numbers in shard.batches(plan.batch):
            rows.append(next(played))
            tell(len(numbers))
        folder.write(plan, shard, Rows.together(rows))
    folder.finish(plan)


def encoded(table: Any, plan: Plan) -> Any:
    """The bytes of a file; they say themselves where they come from."""
    about = {FORMAT: json.dumps({"version": VERSION, "rules": RULES, "plan": plan.to_dict()})}
    sink = arrow().BufferOutputStream()
    parquet().write_table(table.replace_schema_metadata(about), sink, compression="zstd")
    return sink.getvalue()


def checksum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def head_of(plan: Plan) -> dict[str, Any]:
    """All that a reader needs besides the files."""
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


def readme(plan: Plan) -> str:
    told = plan.to_dict()
    lines = [say("dataset.readme.head", **told | {"games": f"{plan.games:,}"}), ""]
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
