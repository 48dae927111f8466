"""Measuring and exporting whatever holds a strategy: a Strategy, a Solver, a Run, a strategy file or a run folder."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mccfr.amounts import MOST, whole_count
from mccfr.blueprints import PREFIX
from mccfr.errors import StrategyError, nearest, one_line, quoted
from mccfr.evaluate import exact, real_game
from mccfr.evaluate.exact import BestResponse
from mccfr.evaluate.node_view import NodeView, Runout
from mccfr.evaluate.real_game import RealValue
from mccfr.evaluate.street_reading import StreetReader
from mccfr.games.registry import NAMED, outside, spelled
from mccfr.runs.run import Run
from mccfr.solvers.prepare import compile_game, load
from mccfr.solvers.solver import Solver
from mccfr.strategy import csv_json
from mccfr.strategy.strategy import Strategy

if TYPE_CHECKING:
    from mccfr.evaluate.abstract_report import AbstractExploitability
    from mccfr.evaluate.sampled_play import PlayedOut

AnyStrategy = Strategy | Solver | Run | str | os.PathLike[str]
DEALT = "dealt:"
TAKEN = "a Strategy, a Solver, a Run, a .mccfr file or a run folder"


def strategy_of(given: AnyStrategy, what: str = "strategy") -> Strategy:
    """The strategy that somebody means."""
    if isinstance(given, Strategy):
        return given
    if isinstance(given, Solver | Run):
        return given.strategy()
    if isinstance(given, str) and given.startswith(PREFIX):
        return load(given)
    if isinstance(given, str | os.PathLike):
        return _read(Path(given), what)
    raise StrategyError(f"{what} must be {TAKEN}, got {quoted(given)}")


def _read(path: Path, what: str) -> Strategy:
    is_folder = is_file = False
    with contextlib.suppress(OSError, ValueError):  # of a name that no file can have
        is_folder, is_file = path.is_dir(), path.exists()
    if is_folder:
        return Run(path).strategy()
    if is_file:
        return load(path)
    name = spelled(str(path))
    if not outside(name):  # a game of ours
        text = repr(name)
        raise StrategyError(f"{what} must be a strategy, and {text} is a game: take mccfr.solve({text})")
    near = nearest(name, NAMED)
    told = f"; {near}" if near.startswith("did") else ""
    raise StrategyError(f"cannot read {one_line(str(path), 80)}: no such file; {what} must be {TAKEN}{told}")


def exploitability(strategy: AnyStrategy) -> float:
    """Compute exploitability, NashConv / 2: what a best response wins per game on average over both seats.

    Args:
        strategy: The strategy of both players. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.

    Returns:
        Exploitability in the game's units: 0 at an equilibrium and nowhere else.

    Raises:
        TreeError: If the game does not have two players.

    Examples:
        >>> import mccfr
        >>> print(f"{mccfr.exploitability(mccfr.uniform('kuhn')):.6f}")
        0.458333
    """
    return exact.exploitability(strategy_of(strategy))


def nash_conv(strategy: AnyStrategy) -> float:
    """Compute NashConv, BR_0(sigma_1) + BR_1(sigma_0): how much both players together gain by a best response.

    It is that of the zero-sum game, so a constant sum of payoffs does not count.

    Args:
        strategy: The strategy of both players. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.

    Returns:
        NashConv in the game's units: 0 at an equilibrium and nowhere else.

    Raises:
        TreeError: If the game does not have two players.

    Examples:
        >>> import mccfr
        >>> print(f"{mccfr.nash_conv(mccfr.uniform('kuhn')):.6f}")
        0.916667
    """
    return exact.nash_conv(strategy_of(strategy))


def expected_value(strategy: AnyStrategy, opponent: AnyStrategy | None = None) -> float:
    """Compute what player 0 gets on average.

    Args:
        strategy: What both players follow, or only player 0 if `opponent` is given. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        opponent: What player 1 follows.

    Returns:
        The expected payoff of player 0, in the game's units.

    Raises:
        StrategyError: If the strategies are of different games.
        TreeError: If the game does not have two players.

    Examples:
        >>> import mccfr
        >>> equilibrium = mccfr.solve("kuhn", "lp").strategy()
        >>> print(f"{mccfr.expected_value(equilibrium):.6f}")
        -0.055556
        >>> print(f"{mccfr.expected_value(mccfr.uniform('kuhn'), equilibrium):.6f}")
        -0.166667
    """
    other = None if opponent is None else strategy_of(opponent, "opponent")
    return exact.expected_value(strategy_of(strategy), other)


def best_response(strategy: AnyStrategy, player: int) -> BestResponse:
    """Compute the best that one player can do while the other follows a strategy.

    Args:
        strategy: The strategy; only the other player's part of it matters. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        player: The player who responds, 0 or 1.

    Returns:
        The value of the best response, and the profile in which it is played.

    Raises:
        StrategyError: If there is no such player.
        TreeError: If the game does not have two players.

    Examples:
        >>> import mccfr
        >>> uniform = mccfr.uniform("kuhn")
        >>> response = mccfr.best_response(uniform, 0)
        >>> print(f"{response.value:.4f}")
        0.5000
        >>> mccfr.expected_value(response.strategy, uniform) == response.value
        True
    """
    return exact.best_response(strategy_of(strategy), player)


def abstract_exploitability(
    strategy: AnyStrategy,
    deals: int | None = None,
    tables: int = 1,
    seed: int = 0,
    workers: int = 0,
    watch: Callable[[str, float], None] | None = None,
) -> "AbstractExploitability":
    """Measure a strategy of hold'em with buckets inside its abstraction, where the other player sees buckets too.

    The bucketing must have perfect recall. The abstract game is a table: which buckets both players come to hold, and
    how often each wins. On a small deck the table is made of all deals and exact; otherwise of deals that are drawn,
    which takes minutes for the first time and is then kept in the cache folder.

    Args:
        strategy: The strategy of both players. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        deals: How many deals to draw for a table. By default all of a small deck, otherwise 10,000 for each bucket of
            the last street, from 10 to 100 million.
        tables: How many tables to make, each of its own deals, 1 to 4. Two or more show how precise the result is.
        seed: Seed of the deals of the first table; further tables take the seeds after it.
        workers: Threads that draw deals, 0 for one on each core. The result does not depend on them.
        watch: Called now and then with what is being done, and which share of it is done.

    Returns:
        The exploitability, the value, and how many deals they were measured with.

    Raises:
        StrategyError: If the game has no buckets, or `tables` is out of range.
        TreeError: If the bucketing has no perfect recall, or its table would need more memory than allowed.

    Examples:
        >>> import mccfr
        >>> game = "holdem(nolimit(stack=4, bet='a', raise_='a'), exact, ranks=4, suits=2, board='3')"
        >>> solver = mccfr.solve(game, "external", iterations=2000, seed=1)
        >>> mccfr.abstract_exploitability(solver).exploitability < 0.25
        True
    """
    from mccfr.evaluate.abstract_report import measure_abstract  # and with it the kernels of cards
    from mccfr.tree.abstract_counts import unwatched

    count = None if deals is None else whole_count("deals", deals, 1)
    dice, threads = whole_count("seed", seed, 0, MOST), whole_count("workers", workers)
    return measure_abstract(strategy_of(strategy), count, tables, dice, threads, watch or unwatched)


def export_csv(strategy: AnyStrategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy to a CSV file, one row per infoset and action.

    The columns are player, infoset, action, probability and visited (true or false). Probabilities are written with
    all their digits, so that they read back unchanged.

    Args:
        strategy: The strategy. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        path: The file to write.

    Raises:
        FileError: If the file cannot be written.
        StrategyError: If the game has too many infosets to name them all.

    Examples:
        >>> import pathlib
        >>> import mccfr
        >>> mccfr.export_csv(mccfr.uniform("kuhn"), "kuhn.csv")
        >>> pathlib.Path("kuhn.csv").read_text().splitlines()[:2]
        ['player,infoset,action,probability,visited', '0,J:,check,0.5,true']
    """
    csv_json.export_csv(strategy_of(strategy), path)


def export_json(strategy: AnyStrategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy to a JSON file.

    The file holds one object: the origin (game, method, seed, iterations, version, created) and a list of infosets,
    each with player, infoset, actions and visited.

    Args:
        strategy: The strategy. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        path: The file to write.

    Raises:
        FileError: If the file cannot be written.
        StrategyError: If the game has too many infosets to name them all.

    Examples:
        >>> import json
        >>> import pathlib
        >>> import mccfr
        >>> mccfr.export_json(mccfr.uniform("kuhn"), "kuhn.json")
        >>> json.loads(pathlib.Path("kuhn.json").read_text())["infosets"][0]
        {'player': 0, 'infoset': 'J:', 'actions': {'check': 0.5, 'bet': 0.5}, 'visited': True}
    """
    csv_json.export_json(strategy_of(strategy), path)


def real_exploitability(
    strategy: AnyStrategy,
    flops: int | None = None,
    workers: int = 0,
    seed: int = 0,
    watch: Callable[[int, int], None] | None = None,
    device: str = "cpu",
    keep: str | os.PathLike[str] | None = None,
    tell: Callable[[str], None] | None = None,
) -> RealValue:
    """Compute what a strategy of hold'em with buckets loses to players who see every card.

    Exploitability inside the game with buckets says how far a strategy is from an equilibrium among players who see
    their cards through the same buckets. This is the number for the game as it is dealt: the strategy keeps to its
    rows, and the best response plays every hand on every board by itself.

    Args:
        strategy: A strategy of `holdem(BETTING, BUCKETS, ...)`. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        flops: None for the exact value, for decks whose boards can be listed. Otherwise an even number of flops to
            draw, which gives a lower bound with an interval, or as many as there are kinds for the exact value.
        workers: Threads to use; 0 for one on each processor.
        seed: Decides which flops are drawn.
        watch: Called after each flop with the number of flops done and their total.
        device: `cpu`, or `gpu` to go through all flops, or those that were drawn, on a GPU in float32; there full
            decks are measured exactly too. `auto` takes a GPU if there is one and the deck is large.
        keep: A file for what finished flops gave. If it is there already, those are not computed again.
        tell: Called with a line of text that says what is to be done, where, and how much memory that takes.

    Returns:
        The value of both best responses, and exploitability in chips and in mbb/g.

    Raises:
        StrategyError: If the game has no buckets, has too many boards for an exact value, or `flops` is odd.
        TreeError: If the boards need more memory than allowed.
        MethodError: If there is no such device.
        DeviceError: If no GPU can be used, or it has too little memory.
        FileError: If the file to keep flops in is damaged, or belongs to another strategy.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> found = mccfr.real_exploitability(mccfr.uniform(game))
        >>> print(f"{found.mbb:.1f} mbb/g; player 0 gets {found.best_response[0]:.4f} chips")
        816.7 mbb/g; player 0 gets 1.6667 chips
    """
    return real_game.real_exploitability(strategy_of(strategy), flops, workers, seed, watch, device, keep, tell)


def play_out(
    strategy: AnyStrategy, opponent: "AnyStrategy" = "call", hands: int = 1_000_000, seed: int = 0
) -> "PlayedOut":
    """Play hands of hold'em through buckets between two strategies, every deal twice with seats exchanged.

    Args:
        strategy: The strategy whose winnings are told. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        opponent: Another strategy of the same game, or `"fold"` (folds whenever it can), `"call"` (always checks or
            calls) or `"uniform"`.
        hands: How many hands to play, two for each deal.
        seed: Seed of cards and moves.

    Returns:
        What the strategy wins per hand, with a 95 % interval over deals.

    Raises:
        StrategyError: If the game has no buckets, the games differ, or there is no such opponent.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> mccfr.play_out(mccfr.uniform(game), "fold", hands=20_000).low > 0
        True
    """
    from mccfr.evaluate.sampled_play import SIMPLE, play_out as played

    count, dice = whole_count("hands", hands, 4), whole_count("seed", seed, 0, MOST)
    other = opponent if opponent in (*SIMPLE, "uniform", "random") else strategy_of(opponent)
    return played(strategy_of(strategy), other, count, dice)


def view(strategy: AnyStrategy, line: str = "") -> NodeView:
    """Look at one node of a hold'em solution: ranges, equities, EVs and frequencies, hand by hand.

    The EV of a hand is what it gets out of the pot in the end less what it still puts in from this node on; both
    players' EVs sum to the pot. Everything is exact, with every card that can come.

    Args:
        strategy: The strategy of a spot or of whole hold'em. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        line: The line that leads to the node, such as `"kb59c/3d:k"`; empty for the start. It may end where cards are
            dealt, as `"kk/"` does.

    Returns:
        Everything about the node.

    Raises:
        StrategyError: If the game is another one, or cards in the line are missing or seen twice.
        BettingError: If a move of the line is not offered.

    Examples:
        >>> import mccfr
        >>> river = mccfr.spot(board="Qs Jh 2h 8c 3d", pot=100, stack=100, oop="QQ,AA", ip="JJ", bet="a", raise_="a")
        >>> found = mccfr.view(mccfr.uniform(river), "k")
        >>> found
        <NodeView after 'k' on Qs Jh 2h 8c 3d: pot 100, player 1 moves>
        >>> str(found.range(1)), found.frequencies(), round(found.mean_equity(1), 4)
        ('JsJd,JsJc,JdJc', {'k': 0.5, 'a100': 0.5}, 0.6667)
    """
    return StreetReader(on_streets(strategy_of(strategy))).view(_line(line))


def runouts(strategy: AnyStrategy, line: str) -> list[Runout]:
    """Look at every card that can come next: how it changes frequencies, EVs and equities.

    Args:
        strategy: The strategy of a spot or of whole hold'em. It may be given as
            a `Strategy`, a `Solver`, a `Run`, a strategy file or a run folder.
        line: A line after which cards are dealt, such as `"kk/"` or `"b59c/"`.

    Returns:
        A row for every card, or for every set of cards where several come at once; the highest first.

    Raises:
        StrategyError: If the game is another one, or no cards are dealt after this line.
        BettingError: If a move of the line is not offered.

    Examples:
        >>> import mccfr
        >>> turn = mccfr.spot(board="Qs Jh 2h 8c", pot=100, stack=100, oop="QQ", ip="JJ", bet="a", raise_="a")
        >>> rows = mccfr.runouts(mccfr.uniform(turn), "kk/")
        >>> len(rows), rows[0].cards, rows[0].ev[0] > rows[0].ev[1]
        (48, 'As', True)
    """
    return StreetReader(on_streets(strategy_of(strategy))).runouts(_line(line))


def _line(line: object) -> str:
    if not isinstance(line, str):
        raise StrategyError(f"a line is text such as 'kb59c/3d:k', got {quoted(line)}")
    return line


def on_streets(strategy: Strategy) -> Strategy:
    """A strategy of the dealt form of hold'em on the tree with boards, where hands that meet no other are added."""
    if not strategy.game.startswith(DEALT) or strategy.tree.streets is not None:
        return strategy
    tree = compile_game(strategy.game.removeprefix(DEALT))
    if tree.streets is None:
        return strategy
    if any(len(board.keeps) > 1 for board in tree.streets.boards.listed):
        raise StrategyError(
            "this strategy may play hands differently that differ only by suits, so it has no view: solve the spot by "
            "a full-width method such as dcfr"
        )
    found, numbers = tree.infosets.uniform(), {label: j for j, label in enumerate(strategy.infosets.labels)}
    for j, label in enumerate(tree.infosets.labels):
        if label in numbers:
            row = list(strategy.at(numbers[label]).values())
            found[tree.infosets.entry(j) : tree.infosets.entry(j) + len(row)] = row
    return Strategy(tree.infosets, found, strategy.origin, tree=tree)
