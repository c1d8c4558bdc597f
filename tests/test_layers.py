"""Modules know only those below them: every import of the package points downwards."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import LONG, environment

CHECKOUT = Path(__file__).parent.parent

LAYERS: list[set[str]] = [
    {"solver._choices", "solver._sheet", "solver._sweep", "solver._turn"},
    {
        "solver._admissions",
        "solver._lookup",
        "solver._ordered",
        "solver._regret",
        "solver._mixing",
        "solver._relaxation",
        "solver._sheet_spread",
        "solver._sheet_totals",
    },
    {"solver.errors", "solver.text"},
    {"solver.schema"},
    {"solver.dice"},
    {"solver.combos"},
    {"solver.ruleset"},
    {"solver.policies.expression"},
    {"solver.policies.policy"},
    {"solver.policies"},
    {"solver.certify", "solver.table"},
    {"solver.library", "solver.pictures", "solver.transcripts"},
    {"solver.unfinished"},
    {"solver.race.vocabulary", "solver.race.kinds"},
    {"solver.race.sections"},
    {"solver.race.rules"},
    {
        "solver.race.contradictions",
        "solver.race.examples",
        "solver.race.held",
        "solver.race.player",
        "solver.race.slots",
    },
    {"solver.race.turn"},
    {"solver.race.penalties", "solver.race.stops", "solver.race.position"},
    {"solver.race.endings", "solver.race.leads"},
    {"solver.race.states", "solver.race.worth"},
    {"solver.race.actions"},
    {"solver.race.longrun"},
    {"solver.race.model", "solver.race.parts"},
    {"solver.race.mixing"},
    {"solver.race.threads"},
    {"solver.race.relaxation"},
    {"solver.race.sweep"},
    {"solver.race.ordered"},
    {"solver.race.admissions", "solver.race.bracket"},
    {"solver.race.copying"},
    {"solver.race.solve"},
    {"solver.race.tables"},
    {"solver.race.export", "solver.race.position_table"},
    {"solver.race.advice"},
    {"solver.race.lookup", "solver.race.report", "solver.race.wording"},
    {"solver.race.comparison"},
    {"solver.race.study.arrays"},
    {"solver.race.study.choices", "solver.race.study.flow"},
    {"solver.race.study.duel", "solver.race.study.planned", "solver.race.study.throws"},
    {"solver.race.study.card", "solver.race.study.evaluation", "solver.race.study.playing"},
    {
        "solver.race.study.measures",
        "solver.race.study.players",
        "solver.race.study.transcript",
        "solver.race.study.pictures",
        "solver.race.study.simulation",
    },
    {"solver.race.study.review"},
    {"solver.race.study.words"},
    {"solver.race.study.family"},
    {"solver.race.study"},
    {"solver.race.family"},
    {"solver.race"},
    {"solver.parlour.rules"},
    {"solver.parlour.odds"},
    {"solver.parlour.answer", "solver.parlour.chances", "solver.parlour.hands", "solver.parlour.position"},
    {"solver.parlour.lattice", "solver.parlour.sequences", "solver.parlour.signals", "solver.parlour.claims"},
    {
        "solver.parlour.aces",
        "solver.parlour.bluff",
        "solver.parlour.buck_dice",
        "solver.parlour.chicago",
        "solver.parlour.craps",
        "solver.parlour.dice_bank",
        "solver.parlour.drop_dead",
        "solver.parlour.four_dice",
        "solver.parlour.high_dice",
        "solver.parlour.liar",
        "solver.parlour.liars_dice",
        "solver.parlour.martinetti",
        "solver.parlour.showdown",
        "solver.parlour.thirteen",
    },
    {"solver.parlour.liars_dice_regret", "solver.parlour.liar_series", "solver.parlour.regret"},
    {
        "solver.parlour.liar_best_answer",
        "solver.parlour.liar_rounds",
        "solver.parlour.liar_table",
        "solver.parlour.liars_dice_solve",
    },
    {"solver.parlour.liar_many"},
    {
        "solver.parlour.bluff_advice",
        "solver.parlour.liar_advice",
        "solver.parlour.liar_odds",
        "solver.parlour.liars_dice_advice",
        "solver.parlour.liars_dice_odds",
        "solver.parlour.showdown_advice",
        "solver.parlour.thirteen_advice",
    },
    {"solver.parlour.liar_many_advice"},
    {"solver.parlour.games"},
    {"solver.parlour.study.chance"},
    {"solver.parlour.study.choice", "solver.parlour.study.hidden"},
    {"solver.parlour.study.simulation"},
    {"solver.parlour.study.family"},
    {"solver.parlour.study"},
    {"solver.parlour.family"},
    {"solver.parlour"},
    {"solver.sheet.lattice", "solver.sheet.sections"},
    {"solver.sheet.rules"},
    {"solver.sheet.rows"},
    {"solver.sheet.examples", "solver.sheet.memory"},
    {"solver.sheet.model"},
    {"solver.sheet.moves", "solver.sheet.position", "solver.sheet.solve"},
    {"solver.sheet.actions", "solver.sheet.spread", "solver.sheet.tables"},
    {"solver.sheet.report", "solver.sheet.totals"},
    {"solver.sheet.duel"},
    {"solver.sheet.advice"},
    {"solver.sheet.export", "solver.sheet.wording"},
    {"solver.sheet.study.turns"},
    {"solver.sheet.study.seen"},
    {"solver.sheet.study.policy"},
    {"solver.sheet.study.choices"},
    {"solver.sheet.study.evaluation"},
    {"solver.sheet.study.goals", "solver.sheet.study.simulation", "solver.sheet.study.uses"},
    {"solver.sheet.study.pictures", "solver.sheet.study.transcript"},
    {"solver.sheet.study.review"},
    {"solver.sheet.study.words"},
    {"solver.sheet.study.family"},
    {"solver.sheet.study"},
    {"solver.sheet.family"},
    {"solver.sheet"},
    {"solver.families"},
    {"solver.studies"},
    {"solver.difference", "solver.export", "solver.reference"},
    {"solver"},
    {"solver.console"},
    {"solver.cli_games", "solver.cli_odds", "solver.cli_rules", "solver.cli_study", "solver.cli_tables"},
    {"solver.cli"},
    {"solver.entry"},
]
"""From the bottom up; modules of one layer do not know each other. Not all of them need exist."""

FORBIDDEN = {
    "solver.parlour.liar_best_answer": (r"solver\.parlour\.liar_rounds\b", "it measures what that finds"),
    "solver.certify": (r"solver\b", "the proof depends on no game and on no other code"),
    "solver.table": (r"solver\.race\b", "a table is of any family"),
    **{
        f"solver.race.{module}": (r"solver\.(dice|combos|race\.turn)\b", "what outlives a turn knows no dice")
        for module in ("player", "stops", "penalties", "endings")
    },
}
"""What is below a module and must stay unknown to it all the same, and why."""

RANKS = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}


def module_name(path: Path) -> str:
    parts = path.relative_to(CHECKOUT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {
    path.relative_to(CHECKOUT).as_posix(): (module_name(path), path.read_text())
    for suffix in ("py", "pyi")
    for path in sorted((CHECKOUT / "solver").rglob(f"*.{suffix}"))
}


def imports(module: str, source: str, *, package: bool = False) -> Iterator[str]:
    """Modules of the package that a source imports anywhere, also within functions or for type checkers only."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "solver")
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                outer = parts[: len(parts) - node.level + package]
                base = ".".join([*outer, *([node.module] if node.module else [])])
            if base.split(".")[0] == "solver":
                yield from (inner if (inner := f"{base}.{alias.name}") in RANKS else base for alias in node.names)


def violations(module: str, source: str, *, package: bool = False) -> list[str]:
    """What is wrong with the imports of a module, in words."""
    if module not in RANKS:
        return [f"{module} has no layer: put it into LAYERS of this test, above all that it imports"]
    # The version is a constant of the package itself, which imports nothing to tell it.
    lines = source.replace("from solver import __version__", "pass")
    found = []
    for target in sorted(set(imports(module, lines, package=package))):
        pattern, why = FORBIDDEN.get(module, (r"(?!)", ""))
        if target not in RANKS:
            found.append(f"{module} imports {target}, which has no layer in this test")
        elif RANKS[target] >= RANKS[module]:
            found.append(f"{module} imports {target}, which is not below it")
        elif re.match(pattern, target):
            found.append(f"{module} imports {target}: {why}")
    return found


@pytest.mark.parametrize("path", SOURCES)
def test_a_module_imports_only_what_is_below_it(path: str) -> None:
    module, source = SOURCES[path]
    found = violations(module, source, package=Path(path).stem == "__init__")
    assert not found, "; ".join(found)


def test_kernels_know_nothing_of_the_package() -> None:
    for path in (CHECKOUT / "ext").glob("*.p[yx]*"):
        assert not re.search(
            r"^\s*(from|import|cimport)\s+solver\b(?!\._\w+ cimport)", path.read_text(), re.MULTILINE
        ), path.name


def test_a_module_stands_in_one_layer_only() -> None:
    assert sum(map(len, LAYERS)) == len(RANKS)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("solver.dice", "import solver.combos"),
        ("solver.dice", "from solver import combos"),
        ("solver.dice", "def late():\n    from solver.combos import Scoring"),
        ("solver.dice", "from . import combos"),
        ("solver.dice", "from .combos import Scoring"),
        ("solver.race.slots", "from .player import Player"),
        ("solver.race.turn", "from ..cli import main"),
        ("solver.certify", "from solver.errors import SolverError"),
        ("solver.table", "from solver.race.rules import RaceRules"),
        ("solver.race.player", "from solver.dice import Die"),
        ("solver.race.player", "from solver import combos"),
        ("solver.race.rules", "from solver import advise"),
        ("solver.cli", "import solver.nowhere"),
        ("solver.newcomer", "import math"),
    ],
)
def test_an_import_that_does_not_point_down_is_found(module: str, source: str) -> None:
    (found,) = violations(module, source)
    assert found.startswith(module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("solver.combos", "from solver.dice import Die\nimport solver.errors, math\nfrom json import loads"),
        (
            "solver.race.model",
            "from solver.race import player as automaton\nfrom .turn import Slot\nfrom ..text import _",
        ),
        ("solver.race.tables", "from solver import __version__"),
    ],
)
def test_imports_that_point_down_are_allowed(module: str, source: str) -> None:
    assert violations(module, source) == []


SLOW = ("numpy", "scipy", "rich", "safetensors", "platformdirs", "tempfile", "pathlib", "fractions", "decimal")
"""What an answer by a shipped table does without: each takes some milliseconds to import, or many."""
OTHER_PARTS = ("certify", "parlour", "policies", "race.longrun", "race.solve", "race.tables", "sheet")
"""Modules of the package that are for other questions."""


@pytest.mark.parametrize("words", ["--score 225 --dice 1,5,3,3,4", "--score 500 --vs 640 --turn 100 --dice 5,2,3"])
def test_advice_by_a_shipped_table_imports_nothing_slow(words: str) -> None:
    # What the command line library brings is its own affair.
    code = (
        "import sys, click\nothers = set(sys.modules)\nfrom solver.cli import advise_command\n"
        "try: advise_command()\nexcept SystemExit: print('modules', *sorted(set(sys.modules) - others))"
    )
    command = [sys.executable, "-c", code, *words.split()]
    answer = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=LONG, check=True)
    marker, *imported = answer.stdout.splitlines()[-1].split()
    assert marker == "modules"
    assert "solver.race.advice" in imported
    assert not {*SLOW, *(f"solver.{name}" for name in OTHER_PARTS)} & set(imported)
