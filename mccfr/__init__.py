"""mccfr solves games of hidden information by (Monte Carlo) counterfactual regret minimisation.

    import mccfr
    solver = mccfr.solve("leduc", "cfr_plus", iterations=1000)      # a game and a method, each by its string
    strategy = solver.strategy()                                    # the average strategy
    mccfr.exploitability(strategy)                                  # chips per game: NashConv / 2
    strategy.show()                                                 # its first infosets, as a table
    strategy["K:"]                                                  # one of them, as a dict
    strategy.save("leduc.mccfr")
    mccfr.load("leduc.mccfr")

- Solving: `solve` and `Solver`; `train` and `Run` keep a solver in a folder, where it can be stopped and continued.
- Games: a string (`game`, `BUILT_IN`), a spot of hold'em (`spot`), a Gambit file (`read_efg`, `write_efg`), or any
  class with the seven methods of `Game`. `check_game` says what is wrong with a class of your own, and `compile_game`
  turns a game into its `Tree`.
- Methods: a string, or parts put together, as in `Method(samplers.Outcome(0.6), minimisers.RMPlus())`; further parts
  are in `estimators` and `averaging`. `recipe`, `part` and `use` add your own.
- Strategies: `Strategy`, `load`, `uniform`, `from_dict`, `from_openspiel`, `export_csv` and `export_json`.
- Evaluation, always exact: `exploitability`, `nash_conv`, `expected_value` and `best_response`; of hold'em, `view` and
  `runouts` show one node and the cards that can come. Of hold'em with buckets, `abstract_exploitability` measures a
  strategy against players who see buckets too, `real_exploitability` against players who see every card, and
  `play_out` plays hands against another strategy.
- Playing: `agent` makes a player of hold'em from a strategy or a name, `Agent` is what your own derive from, `table` is
  where they sit, and `match` plays them against each other.
- Re-solving: `position` makes a game of a public state, `refine` solves some of them again and puts them in place, and
  `Resolver` is a player that solves every position it comes to.
- Cards: `equity` says what hands and ranges are worth against each other on a board.
- Experiments: `race` and `sweep` run methods side by side, `compare` tests their runs, and `paper` runs a figure of a
  paper again. `audit` says whether a sampled method is unbiased and what its accuracy costs; `bench` checks this
  installation.

Wrong input raises an `MccfrError`. Names are imported when first used, so `import mccfr` takes no time.
"""

import importlib
from typing import TYPE_CHECKING, Any

from mccfr.version import __version__ as __version__

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
    "abstract_exploitability": "mccfr.runs.any_strategy",
    "AbstractExploitability": "mccfr.evaluate.abstract_report",
    "real_exploitability": "mccfr.runs.any_strategy",
    "RealValue": "mccfr.evaluate.real_game",
    "play_out": "mccfr.runs.any_strategy",
    "PlayedOut": "mccfr.evaluate.sampled_play",
    "agent": "mccfr.playing.for_users",
    "Agent": "mccfr.playing.agent",
    "table": "mccfr.playing.for_users",
    "match": "mccfr.playing.for_users",
    "view": "mccfr.runs.any_strategy",
    "runouts": "mccfr.runs.any_strategy",
    "NodeView": "mccfr.evaluate.node_view",
    "HandView": "mccfr.evaluate.node_view",
    "Runout": "mccfr.evaluate.node_view",
    "position": "mccfr.resolving.position",
    "Position": "mccfr.resolving.position",
    "Resolver": "mccfr.resolving.resolver",
    "refine": "mccfr.resolving.refining",
    "equity": "mccfr.cards.range_equity",
    "Equity": "mccfr.cards.range_equity",
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
    "spot": "mccfr.games.spot",
    "read_efg": "mccfr.games.efg",
    "write_efg": "mccfr.games.efg_writer",
    "read_gamedef": "mccfr.games.gamedef",
    "write_gamedef": "mccfr.games.gamedef",
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
    from mccfr.cards.range_equity import Equity as Equity, equity as equity
    from mccfr.errors import MccfrError as MccfrError, TargetNotReached as TargetNotReached
    from mccfr.evaluate.abstract_report import AbstractExploitability as AbstractExploitability
    from mccfr.evaluate.exact import BestResponse as BestResponse
    from mccfr.evaluate.node_view import HandView as HandView, NodeView as NodeView, Runout as Runout
    from mccfr.evaluate.real_game import RealValue as RealValue
    from mccfr.evaluate.sampled_play import PlayedOut as PlayedOut
    from mccfr.experiments.library import compare as compare, race as race, sweep as sweep
    from mccfr.games.base import CHANCE as CHANCE, TERMINAL as TERMINAL, Game as Game
    from mccfr.games.efg import read_efg as read_efg
    from mccfr.games.efg_writer import write_efg as write_efg
    from mccfr.games.gamedef import read_gamedef as read_gamedef, write_gamedef as write_gamedef
    from mccfr.games.registry import BUILT_IN as BUILT_IN, DEALT_ONLY as DEALT_ONLY, game as game
    from mccfr.games.spot import spot as spot
    from mccfr.kernel import (
        averaging as averaging,
        estimators as estimators,
        minimisers as minimisers,
        samplers as samplers,
    )
    from mccfr.papers.catalogue import paper as paper
    from mccfr.playing.agent import Agent as Agent
    from mccfr.playing.for_users import agent as agent, match as match, table as table
    from mccfr.resolving.position import Position as Position, position as position
    from mccfr.resolving.refining import refine as refine
    from mccfr.resolving.resolver import Resolver as Resolver
    from mccfr.runs.any_strategy import (
        abstract_exploitability as abstract_exploitability,
        best_response as best_response,
        expected_value as expected_value,
        exploitability as exploitability,
        export_csv as export_csv,
        export_json as export_json,
        nash_conv as nash_conv,
        play_out as play_out,
        real_exploitability as real_exploitability,
        runouts as runouts,
        view as view,
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
