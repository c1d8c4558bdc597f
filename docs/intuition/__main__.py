"""Write ``docs/intuition.md`` anew, or only the sections of the claims that are named."""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docs.intuition import duels, measured, race
from docs.intuition.findings import Case, Claim, verdict

HERE = Path(__file__).parent
PAGE = HERE.parent / "intuition.md"
CHECKS: dict[str, Callable[..., Iterator[Case]]] = {**race.CHECKS, **measured.CHECKS, **duels.CHECKS}
"""Those of all families."""

HEAD = """# What players believe

Beliefs about dice games, each checked by exact values. The claims stand in `docs/intuition/claims.toml`, the checks
beside it; this page is written by `python -m docs.intuition`, and no verdict in it is written by hand. "Alone" means
the expected number of turns of one player, who plays as well as can be where nothing else is said.
"""


def claims() -> list[Claim]:
    """All claims, in the order of the file."""
    entries = tomllib.loads((HERE / "claims.toml").read_text(encoding="utf-8"))["claim"]
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
    return "\n".join([*lines, "", f"    {claim.shown}", ""])


def page(named: list[str]) -> str:
    """The whole page; if claims are named, the other sections as they stand."""
    text = PAGE.read_text(encoding="utf-8") if named else ""
    old = {part.partition("\n")[0]: "## " + part for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
    parts = [old[claim.id] if named and claim.id not in named else section(claim) for claim in claims()]
    return "\n".join([HEAD, *(part.rstrip("\n") + "\n" for part in parts)])


if __name__ == "__main__":
    PAGE.write_text(page(sys.argv[1:]), encoding="utf-8")
