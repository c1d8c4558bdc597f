"""Write ``docs/intuition.md`` anew, or only what is about the claims that are named: ``yahtzee-01 small-03``."""

import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

from docs.intuition import duels, measured, parlour, race, sheet, sheet_duels
from docs.intuition.findings import Case, Claim, verdict

HERE = Path(__file__).parent
PAGE = HERE.parent / "intuition.md"
FILES = ("claims.toml", "claims-sheet.toml", "claims-parlour.toml")
CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    **race.CHECKS,
    **measured.CHECKS,
    **duels.CHECKS,
    **sheet.CHECKS,
    **sheet_duels.CHECKS,
    **parlour.CHECKS,
}
"""Those of all families."""

HEAD = """# What players believe

Beliefs about dice games, each checked by exact values. The claims stand in `docs/intuition/claims*.toml`, the checks
beside them; this page is written by `python -m docs.intuition`, and no verdict in it is written by hand. "Alone" means
the expected number of turns of one player, who plays as well as can be where nothing else is said. Of score sheets,
points are expected totals of whoever plays for the most points; best play is that play.
"""


def claims() -> list[Claim]:
    """All claims, in the order of the files."""
    texts = [(HERE / name).read_text(encoding="utf-8") for name in FILES]
    entries = [entry for text in texts for entry in tomllib.loads(text)["claim"]]
    defaults: dict[str, Any] = {"means": "", "checks": [], "shown": "", "untested": ""}
    return [Claim(**{**defaults, **entry}) for entry in entries]


def cases_of(claim: Claim) -> list[Case]:
    """What the checks of a claim find."""
    found: list[Case] = []
    for check in claim.checks:
        arguments = {name: value for name, value in check.items() if name != "check"}
        found += CHECKS[str(check["check"])](**arguments)
    return found


def section(claim: Claim) -> str:
    """The part of the page that is about one claim."""
    lines = [f"## {claim.id}", "", f"*{claim.claim}* ({', '.join(claim.rulesets)})", ""]
    if claim.untested:
        return "\n".join([*lines, f"**Not checked.** {claim.untested}", ""])
    cases = cases_of(claim)
    lines += [f"**Verdict: {verdict(cases)}.** {claim.means}", ""]
    lines += [f"* {case.numbers}." for case in cases if case.numbers]
    return "\n".join([*lines, "", indent(claim.shown, "    "), ""])


def page(names: list[str] | None = None) -> str:
    """The whole page; if names are given, what is about other claims is taken from the page as it is."""
    old = written()
    return "\n".join(
        [HEAD, *(section(claim) if not names or claim.id in names else old[claim.id] for claim in claims())]
    )


def written() -> dict[str, str]:
    """The parts of the page as it is, by claim."""
    _head, *parts = PAGE.read_text(encoding="utf-8").split("\n## ")
    return {part.partition("\n")[0]: "## " + part.rstrip("\n") + "\n" for part in parts}


if __name__ == "__main__":
    PAGE.write_text(page(sys.argv[1:]), encoding="utf-8")
