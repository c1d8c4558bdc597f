"""What every score sheet is worth, how totals are spread, and what a solve takes: the table of docs/sheets.md.

python benchmarks/every_sheet.py [RULESET ...]
"""

import sys
import time

from solver.families import load_rules
from solver.ruleset import load_ruleset, shipped_names
from solver.sheet.model import compile_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.spread import deviation


def line(name: str) -> str:
    rules = load_rules(name)
    assert isinstance(rules, SheetGameRules)
    model = compile_sheet(rules)
    began = time.process_time()
    solution = solve(model)
    seconds = time.process_time() - began
    spread = deviation(model, model.kernel(), solution.values)
    return (
        f"| `{name}` | {len(rules.sheet.rows)} | {solution.values[0]:.10f} | {spread:.2f} | {solution.bound:.0e} "
        f"| {model.size} | {seconds:.2f} |"
    )


if __name__ == "__main__":
    sheets = [name for name in shipped_names() if load_ruleset(name).data.get("family") == "sheet"]
    for chosen in sys.argv[1:] or sheets:
        print(line(chosen), flush=True)
