"""The few ways in which Kosti can fail, each with a message of one line."""


class SolverError(Exception):
    """Base of every error that Kosti raises on purpose."""


class RulesetError(SolverError, ValueError):
    """A ruleset file says something that it may not say."""


class UnplayableError(RulesetError):
    """Rules that are each allowed make no game together; the message names no file, which ``ruleset.told_of`` adds."""


class PositionError(SolverError, ValueError):
    """A position is outside the game: an impossible score, throw or turn total."""


class PolicyError(SolverError, ValueError):
    """A human rule says something that it may not say."""


class TranscriptError(SolverError, ValueError):
    """The record of a game tells of something that cannot be."""


class TableError(SolverError, ValueError):
    """A table file is damaged, foreign, too new, or of another ruleset."""


class ConvergenceError(SolverError, RuntimeError):
    """A solve did not reach its tolerance, so there is no result to show."""
