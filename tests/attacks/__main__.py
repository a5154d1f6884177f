"""``python -m tests.attacks [NAME ...]``: run attacks, and print what honest people noticed."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from tests.attacks import campaign
from tests.attacks.attacker import ATTACKS
from tests.attacks.campaign import Length, Outcome
from tests.attacks.routes import ROUTES

HEAD = "| attack | p99 ms | worst ms | visit ms | peak MB | after MB | files | CPU | limits that applied |"


def row(outcome: Outcome) -> str:
    cells = [
        outcome.attack.what,
        *(
            f"{figure:.0f}"
            for figure in (outcome.p99, outcome.worst, outcome.visit, outcome.peak, outcome.after)
        ),
        str(outcome.files),
        f"{100 * outcome.seconds:.0f} %",
        outcome.applied,
    ]
    return f"| {' | '.join(cells)} |"


def say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def stop(*_: object) -> None:
    sys.exit(1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--through", choices=ROUTES, default="direct", help="what stands before the server")
    parser.add_argument("--seconds", type=float, default=8, help="of each attack")
    parser.add_argument("--after", type=float, default=10, help="seconds until the memory is read again")
    parser.add_argument("--notes", action="store_true", help="tell also what went wrong")
    wanted = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    say(HEAD, "|---|" + "--:|" * 7 + "---|")
    for name in wanted.names or ATTACKS:
        with tempfile.TemporaryDirectory(prefix="royalcrypt-attack-") as folder:
            length = Length(1, wanted.seconds, wanted.after)
            outcome = campaign.run(ATTACKS[name], Path(folder), length, ROUTES[wanted.through]())
        say(row(outcome))
        if wanted.notes:
            say(
                *(
                    f"    {one}"
                    for one in {*outcome.troubles[:5], outcome.broken, outcome.complaints[-1500:]}
                    if one
                )
            )


if __name__ == "__main__":
    main()
