"""All cells of the notebook run, and the value of each cell can be displayed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "examples" / "tour.ipynb"
RUNNER = """
import ast, json, sys

names = {}
for source in json.loads(sys.stdin.read()):
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    if isinstance(last, ast.Expr):
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        html = getattr(shown, "_repr_html_", lambda: None)() or repr(shown)
        print(type(shown).__name__, len(html))
    else:
        exec(compile(ast.Module([last], []), "cell", "exec"), names)
"""


def cells(kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def test_all_cells_run_in_order_and_show_pictures_and_frames(tmp_path: Path) -> None:
    sources = json.dumps(["".join(cell["source"]) for cell in cells("code")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUNNER],
        input=sources,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = done.stdout.split()
    assert {"Game", "View", "Record", "DataFrame"} <= set(shown)


def test_the_notebook_has_no_outputs() -> None:
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells("code"))
    assert cells("markdown")
