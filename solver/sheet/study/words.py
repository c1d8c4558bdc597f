"""The study of sheets in words."""

from solver.sheet.actions import Choice
from solver.sheet.rules import SheetGameRules
from solver.sheet.study.evaluation import Evaluation
from solver.sheet.study.policy import SheetPolicy
from solver.sheet.study.review import MARKS, ReviewedSheetTurn, SheetMove, SheetReview
from solver.sheet.study.simulation import Simulated
from solver.sheet.study.uses import RowUse
from solver.text import _


def describe_evaluation(rules: SheetGameRules, found: Evaluation, uses: list[RowUse]) -> str:
    """An evaluation for a person, as lines of text."""
    lines = [
        f"{rules.title}. {found.policy.title}",
        _("Expected total:"),
        _("  this rule   {value:.6f}").format(value=found.value),
        _("  best play   {value:.6f}").format(value=found.best),
        _("The rule costs {loss:.6f} points.").format(loss=found.loss),
        _("All values are proven to {bound:.1e}.").format(bound=found.bound),
    ]
    if found.departures and found.loss > 2.0 * found.bound:
        lines += ["", _("What each part of the rule costs, in points a game:")]
        lines += [f"  {cost:9.4f}  {rule}" for rule, cost in found.by_rule.items()]
        lines += ["", _("The decisions that cost most, with how often they come up and what they cost then:")]
        for made in found.departures:
            where = _("throw {made}: {dice}").format(made=made.made, dice=" ".join(map(str, made.throw)))
            text = _('  {cost:.4f}  {chance:.4f} % x {loss:.2f}  {where}, does "{does}", better "{better}"')
            numbers = {"cost": made.cost, "chance": 100.0 * made.chance, "loss": made.loss}
            lines.append(text.format(**numbers, where=where, does=made.does, better=made.better))
            lines.append(_("          written: {rows}").format(rows=made.written or _("nothing")))
    lines += ["", *describe_uses(uses)]
    return "\n".join(lines)


def describe_uses(uses: list[RowUse]) -> list[str]:
    """How rows are used, as a table of text."""
    heading = (_("row"), _("points"), _("crossed out"), _("in turn"), _("first throw"), _("first crossed"))
    rows = [
        (
            use.name,
            f"{use.mean:.2f}",
            f"{100.0 * use.crossing:.1f} %",
            f"{use.turn:.1f}",
            f"{100.0 * use.after_throw(1):.1f} %",
            f"{100.0 * use.first_crossed:.1f} %",
        )
        for use in uses
    ]
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    told = _(
        "How rows are used: points, how often crossed out (in a school that counts differences: written with "
        "less than "
        "nothing), turn in which written, how often after the first throw, and how often the first row to be "
        "crossed out."
    )
    table = [
        "  ".join([name.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]) for name, *cells in (heading, *rows)
    ]
    return [told, *table]


def describe_simulation(rules: SheetGameRules, policy: SheetPolicy, found: Simulated) -> str:
    """A simulation for a person, as lines of text."""
    text = _("{mean:.3f} points on average of {games} games, with a standard error of {error:.3f}.")
    return f"{rules.title}. {policy.title}\n" + text.format(mean=found.mean, games=found.games, error=found.error)


def describe_review(rules: SheetGameRules, found: SheetReview) -> str:
    """A reviewed game for a person, as lines of text."""
    lines = [rules.title, _("Numbers are expected final totals under best play from there on."), ""]
    for number, turn in enumerate(found.turns, 1):
        lines += _turn(found, number, turn)
    marks = _("Marks: ?! costs {least} points or more, ? {more}, ?? {most}.")
    lines.append(marks.format(least=MARKS["?!"], more=MARKS["?"], most=MARKS["??"]))
    for who, name in enumerate(found.names):
        losses = found.losses(who)
        counted = {mark: [found.mark(loss) for loss in losses].count(mark) for mark in MARKS}
        end = _("final total {end:.0f}") if found.full[who] else _("{end:.2f} to be expected now")
        text = _(
            "{name}: {begin:.2f} to be expected at the beginning, {luck:+.2f} by luck, {lost:.2f} lost by "
            "decisions: {end}. "
            "{count} decisions, of them {blunders} blunders, {mistakes} mistakes, {doubtful} doubtful."
        )
        numbers = {"begin": found.begins[who], "luck": found.luck(who), "lost": sum(losses), "count": len(losses)}
        marked = {"blunders": counted["??"], "mistakes": counted["?"], "doubtful": counted["?!"]}
        lines.append(text.format(name=name, end=end.format(end=found.ends[who]), **numbers, **marked))
    return "\n".join(lines)


def _turn(found: SheetReview, number: int, turn: ReviewedSheetTurn) -> list[str]:
    heading = _("{number}. {name}: {value:.2f}").format(number=number, name=found.names[turn.who], value=turn.value)
    total = _("   -> {total} points written, {value:.2f}").format(total=turn.total, value=turn.moves[-1].value)
    return [heading, *(_move(found, move) for move in turn.moves), total, ""]


def _move(found: SheetReview, move: SheetMove) -> str:
    text = _("   {throw} ({luck:+.2f}): {done}, {value:.2f}").format(
        throw=" ".join(map(str, move.throw)), luck=move.luck, done=_done(move.choice), value=move.value
    )
    if move.loss <= 2.0 * found.bound:
        return text
    better = _("  {mark} loses {loss:.2f}; best: {best}, {value:.2f}").format(
        mark=found.mark(move.loss), loss=move.loss, best=_done(move.best), value=move.value + move.loss
    )
    return text + better.replace("   ", "  ")


def _done(choice: Choice) -> str:
    if choice.write is not None:
        more = choice.points - choice.row_points
        if more:
            return _("writes {row} for {points}, with {more:+} on top").format(
                row=choice.write, points=choice.row_points, more=more
            )
        return _("writes {row} for {points}").format(row=choice.write, points=choice.points)
    kept = " ".join(map(str, choice.hold or ()))
    return _("keeps {dice}").format(dice=kept) if kept else _("throws all again")
