"""Players of policies at work: who turn by turn chooses what his rules leave free."""

from collections.abc import Callable

from solver.certify import Values
from solver.policies.policy import BEST, MOST_DICE, MOST_POINTS, Policy
from solver.race.model import RaceModel
from solver.race.rules import RaceRules
from solver.race.study.arrays import as_buffer
from solver.race.study.choices import choices_of
from solver.race.study.duel import Kind, duel_of, solve_duel
from solver.race.study.evaluation import numbered, solve_alone
from solver.race.study.planned import PlannedTurn
from solver.race.study.playing import TurnMaker
from solver.race.sweep import sweeper
from solver.race.worth import turns_worth, win_worth
from solver.table import Table


def turn_makers(
    rules: RaceRules, model: RaceModel, policies: list[Policy], table: Callable[[], Table]
) -> list[TurnMaker | None]:
    """For each policy what makes its turns, or None where its rules alone say everything.

    ``table`` gives the values of best play, which are found only if some policy needs them.
    """
    if all(_says_everything(policy) for policy in policies):
        return [None for _policy in policies]
    best = numbered(rules, model, table())
    if model.players == 1:
        (policy,) = policies
        found = best
        if not policy.guided:
            own_model, choices = choices_of(model, policy)
            found = solve_alone(own_model, choices).values
        worth = turns_worth(model.numbers, as_buffer(found))
        return [
            lambda mover, _waiter: PlannedTurn(model.rules.alone(), model.states[mover], None, worth, policy, worth)
        ]
    with sweeper(model, "win") as sweep:
        guide = (best, sweep.layers_of(best))
    pairs = [(best, best), (best, best)]
    if any(_chooses_for_himself(policy) for policy in policies):
        kinds = [Kind(*choices_of(model, policy, guide)) for policy in policies]
        with duel_of(kinds[0], kinds[1], "win") as duel:
            values = solve_duel(duel, best).values
        pairs = [(values[0], values[1]), (values[1], values[0])]
    return [
        _maker(rules, model, policy, (best, best) if policy.guided else pair)
        for policy, pair in zip(policies, pairs, strict=True)
    ]


def _says_everything(policy: Policy) -> bool:
    return policy.hold in (MOST_POINTS, MOST_DICE) and not policy.guided and not _chooses_for_himself(policy)


def _chooses_for_himself(policy: Policy) -> bool:
    return policy.hold == BEST or any(rule.action == BEST for rule in policy.rules)


def _maker(rules: RaceRules, model: RaceModel, policy: Policy, pair: tuple[Values, Values]) -> TurnMaker:
    own, others = (as_buffer(values) for values in pair)

    def make(mover: int, waiter: int) -> PlannedTurn:
        opponent = model.states[waiter]
        worth = win_worth(rules, opponent, model.numbers, others, own)
        return PlannedTurn(rules, model.states[mover], opponent, worth, policy, worth)

    return make
