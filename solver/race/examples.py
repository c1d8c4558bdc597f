"""Examples in ruleset files: the author's own tests of what a throw is worth."""

from solver.dice import from_faces, to_faces
from solver.race.rules import RaceRules
from solver.ruleset import Ruleset, report
from solver.schema import Kind, NotAllowedError, Problem, Section, key, quoted, read_section, whole
from solver.text import _

_THROW = _('faces with spaces between them, such as "1 1 1 5 2"')


def _throw(value: object) -> tuple[int, ...]:
    parts = value.replace(",", " ").split() if isinstance(value, str) else []
    if not parts or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts):
        raise NotAllowedError(_THROW)
    return tuple(map(int, parts))


class Example(Section):
    """A table ``[[example]]``, of which a file may have many.

    Examples are checked whenever the file is read. They are no rules: the game is the same without them, and a file
    that extends this one does not inherit them.
    """

    throw: tuple[int, ...] = key(Kind(_throw, _THROW, lambda faces: " ".join(map(str, faces))), _("Dice of one throw."))
    points: int = key(whole(0, 1_000_000), _("Points of the throw at its best reading; 0 if it brings nothing."))


def check_examples(rules: RaceRules, ruleset: Ruleset) -> None:
    """RulesetError, with every problem, if an example of the ruleset is not what its rules say."""
    if ruleset.examples == ():
        return
    problems: list[Problem] = []
    if isinstance(ruleset.examples, list):
        scoring, count, faces = rules.scoring(), rules.dice.count, rules.dice.faces
        for index, entry in enumerate(ruleset.examples):
            where = f"example[{index}]"
            example = read_section(Example, entry, problems, where)
            if example is None:
                continue
            if len(example.throw) > count or not all(1 <= face <= faces for face in example.throw):
                allowed = _("at most {count} dice with faces from 1 to {faces}").format(count=count, faces=faces)
                problems.append(Problem(f"{where}.throw", quoted(entry["throw"]), allowed))
                continue
            throw = from_faces(example.throw, faces)
            points = scoring.best_reading(throw).points
            if points != example.points:
                shown = " ".join(map(str, to_faces(throw)))
                found = _("{points} for the throw {throw}").format(points=example.points, throw=shown)
                allowed = _("{points}, its best reading").format(points=points)
                problems.append(Problem(f"{where}.points", found, allowed))
    else:
        allowed = _("tables headed [[example]], each with throw and points")
        problems.append(Problem("example", quoted(ruleset.examples), allowed))
    if problems:
        raise report(ruleset, problems)
