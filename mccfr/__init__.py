"""mccfr: games of hidden information, solved by (Monte Carlo) counterfactual regret minimisation.

    import mccfr
    solver = mccfr.solve("leduc", "cfr_plus", iterations=1000)      # a string, a Game or a Tree; a method or its string
    strategy = solver.strategy()                                    # the average strategy
    mccfr.exploitability(strategy)                                  # chips per game: NashConv / 2
    strategy.show(); strategy["K:"]; strategy.save("leduc.mccfr"); mccfr.load("leduc.mccfr")

A game is a class with seven methods (`Game`); `check_game` holds it to them and `compile_game` writes it out as a
`Tree`. A method is a string, or parts put together: `Method(samplers.Outcome(0.6), minimisers.RMPlus())`; there are
also `estimators` and `averaging`. `uniform`, `expected_value`, `best_response`, `nash_conv` and `exploitability`
evaluate any `Strategy` exactly. `audit` says whether a sampled method is unbiased, how much it varies and what it
costs. `race` and `sweep` run methods side by side, `compare` tests their runs, `paper` runs a figure of a paper again.
Names are imported when first used, so that `import mccfr` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "solve": "mccfr.solvers.solver",
    "Solver": "mccfr.solvers.solver",
    "Progress": "mccfr.solvers.solver",
    "Method": "mccfr.solvers.method",
    "methods": "mccfr.solvers.word_list",
    "recipe": "mccfr.solvers.method",
    "part": "mccfr.solvers.method",
    "use": "mccfr.solvers.extend",
    "samplers": "mccfr.kernel",
    "estimators": "mccfr.kernel",
    "minimisers": "mccfr.kernel",
    "averaging": "mccfr.kernel",
    "compile_game": "mccfr.solvers.prepare",
    "compile": "mccfr.solvers.prepare",
    "load": "mccfr.solvers.prepare",
    "uniform": "mccfr.solvers.prepare",
    "from_dict": "mccfr.solvers.prepare",
    "from_openspiel": "mccfr.solvers.prepare",
    "Strategy": "mccfr.strategy.strategy",
    "export_csv": "mccfr.runs.any_strategy",
    "export_json": "mccfr.runs.any_strategy",
    "exploitability": "mccfr.runs.any_strategy",
    "nash_conv": "mccfr.runs.any_strategy",
    "expected_value": "mccfr.runs.any_strategy",
    "best_response": "mccfr.runs.any_strategy",
    "BestResponse": "mccfr.evaluate.exact",
    "audit": "mccfr.auditing.auditor",
    "AuditReport": "mccfr.auditing.report",
    "bench": "mccfr.auditing.fingerprint",
    "BenchReport": "mccfr.auditing.fingerprint",
    "Game": "mccfr.games.base",
    "CHANCE": "mccfr.games.base",
    "TERMINAL": "mccfr.games.base",
    "game": "mccfr.games.registry",
    "BUILT_IN": "mccfr.games.registry",
    "DEALT_ONLY": "mccfr.games.registry",
    "read_efg": "mccfr.games.efg",
    "write_efg": "mccfr.games.efg_writer",
    "check_game": "mccfr.tree.contract",
    "Tree": "mccfr.tree.tree",
    "HistoryTree": "mccfr.tree.history_tree",
    "DealtTree": "mccfr.tree.dealt_tree",
    "Engine": "mccfr.solvers.engines",
    "save_tree": "mccfr.tree.store",
    "load_tree": "mccfr.tree.store",
    "Run": "mccfr.runs.run",
    "train": "mccfr.runs.run",
    "race": "mccfr.experiments.library",
    "sweep": "mccfr.experiments.library",
    "compare": "mccfr.experiments.library",
    "paper": "mccfr.papers.catalogue",
    "MccfrError": "mccfr.errors",
    "TargetNotReached": "mccfr.errors",
}
__all__ = [*_HOME]

if TYPE_CHECKING:
    from mccfr.auditing.auditor import audit as audit
    from mccfr.auditing.fingerprint import BenchReport as BenchReport, bench as bench
    from mccfr.auditing.report import AuditReport as AuditReport
    from mccfr.errors import MccfrError as MccfrError, TargetNotReached as TargetNotReached
    from mccfr.evaluate.exact import BestResponse as BestResponse
    from mccfr.experiments.library import compare as compare, race as race, sweep as sweep
    from mccfr.games.base import CHANCE as CHANCE, TERMINAL as TERMINAL, Game as Game
    from mccfr.games.efg import read_efg as read_efg
    from mccfr.games.efg_writer import write_efg as write_efg
    from mccfr.games.registry import BUILT_IN as BUILT_IN, DEALT_ONLY as DEALT_ONLY, game as game
    from mccfr.kernel import (
        averaging as averaging,
        estimators as estimators,
        minimisers as minimisers,
        samplers as samplers,
    )
    from mccfr.papers.catalogue import paper as paper
    from mccfr.runs.any_strategy import (
        best_response as best_response,
        expected_value as expected_value,
        exploitability as exploitability,
        export_csv as export_csv,
        export_json as export_json,
        nash_conv as nash_conv,
    )
    from mccfr.runs.run import Run as Run, train as train
    from mccfr.solvers.engines import Engine as Engine
    from mccfr.solvers.extend import use as use
    from mccfr.solvers.method import Method as Method, part as part, recipe as recipe
    from mccfr.solvers.prepare import (
        compile as compile,
        compile_game as compile_game,
        from_dict as from_dict,
        from_openspiel as from_openspiel,
        load as load,
        uniform as uniform,
    )
    from mccfr.solvers.solver import Progress as Progress, Solver as Solver, solve as solve
    from mccfr.solvers.word_list import methods as methods
    from mccfr.strategy.strategy import Strategy as Strategy
    from mccfr.tree.contract import check_game as check_game
    from mccfr.tree.dealt_tree import DealtTree as DealtTree
    from mccfr.tree.history_tree import HistoryTree as HistoryTree
    from mccfr.tree.store import load_tree as load_tree, save_tree as save_tree
    from mccfr.tree.tree import Tree as Tree


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'mccfr' has no attribute {name!r}")
    home = importlib.import_module(_HOME[name])
    if not hasattr(home, name):  # a module of a room, which nobody has asked for yet
        importlib.import_module(f"{_HOME[name]}.{name}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
