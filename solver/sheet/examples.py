"""Examples in sheet rulesets: the author's own tests of what a row is worth."""

from solver.dice import Multiset, from_faces
from solver.ruleset import Ruleset, report
from solver.schema import Kind, NotAllowedError, Problem, Section, flag, key, quoted, read_section, words
from solver.sheet.lattice import DICE, FACES
from solver.sheet.rows import row_worth
from solver.sheet.rules import SheetGameRules
from solver.sheet.sections import POINTS
from solver.text import _

_THROW = _('five faces from 1 to 6 with spaces between them, such as "1 1 1 5 2"')


def _throw(value: object) -> Multiset:
    parts = value.replace(",", " ").split() if isinstance(value, str) else []
    if len(parts) != DICE or not all(len(part) == 1 and part in "123456" for part in parts):
        raise NotAllowedError(_THROW)
    return from_faces(map(int, parts), FACES)


class Example(Section):
    """A table ``[[example]]``, of which a file may have many.

    Examples are checked whenever the file is read. They are no rules: the game is the same without them, and a file
    that extends this one does not inherit them.
    """

    throw: Multiset = key(Kind(_throw, _THROW), _("The dice that are written."))
    row: str = key(words(20), _("The row that they are written in."))
    first_throw: bool = key(flag(), _("Whether they were the first throw of the turn."), default=False)
    points: int = key(POINTS, _("What the row brings."))


def check_examples(rules: SheetGameRules, ruleset: Ruleset) -> None:
    """RulesetError, with every problem, if an example of the ruleset is not what its rules say."""
    if ruleset.examples == ():
        return
    problems: list[Problem] = []
    if not isinstance(ruleset.examples, list):
        allowed = _("tables headed [[example]], each with throw, row and points")
        problems.append(Problem("example", quoted(ruleset.examples), allowed))
        raise report(ruleset, problems)
    rows = dict(rules.rows)
    for index, entry in enumerate(ruleset.examples):
        example = read_section(Example, entry, problems, f"example[{index}]")
        if example is None:
            continue
        if example.row not in rows:
            problems.append(Problem(f"example[{index}].row", quoted(example.row), ", ".join(rules.sheet.rows)))
            continue
        worth = row_worth(rules, rows[example.row], example.throw)
        points = worth.first if example.first_throw else worth.later
        if points != example.points:
            found = _("{points} in {row}").format(points=example.points, row=example.row)
            problems.append(Problem(f"example[{index}].points", found, _("{points}").format(points=points)))
    if problems:
        raise report(ruleset, problems)
