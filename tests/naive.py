"""The whole theory, slow and obvious: the twin that everything compiled is tested against.

Plain recursion over the seven methods of a game, each function beside its formula. Nothing is shared with the package
but the two constants that say who moves, nothing is cached and nothing is clever. Notation: h a history, z a terminal
one, I an infoset, a an action, i a player, c chance, sigma a strategy profile, u_i the payoff of i.

    pi_j(h)       = product of the probabilities with which j made its moves on the way to h
    pi_{-i}(h)    = product of pi_j(h) over everybody except i, chance included
    u_i(h|sigma)  = expected payoff of i when play continues from h by sigma
    v_i(I)        = sum_{h in I} pi_{-i}(h) u_i(h|sigma)
    v_i(I,a)      = sum_{h in I} pi_{-i}(h) u_i(ha|sigma)
    r_i(I,a)      = v_i(I,a) - v_i(I)                                         [Zinkevich et al. 2007, section 3]

A strategy is a dict {(player, infoset): [a probability per action]}, a profile when it has the infosets of everybody.
Numbers only meet +, -, *, / and max, so that a game and a strategy written in fractions give exact answers.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from mccfr.games.base import CHANCE, TERMINAL, Game

Key = tuple[int, Hashable]  # (player, infoset)
Table = dict[Key, list[Any]]  # a number per action of every infoset: strategies, regrets, sums


# Histories ------------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """One step of a history."""

    actor: int  # a player or CHANCE
    infoset: Hashable  # None for chance
    choice: int  # which of the actions or outcomes
    odds: Any  # the probability of a chance outcome; None for players


class History(NamedTuple):
    """A state together with how it was reached."""

    state: Any
    moves: tuple[Move, ...] = ()


def children(game: Game, h: History) -> Iterator[History]:
    """Every ha, in order."""
    who = game.player(h.state)
    if who == CHANCE:
        for index, (outcome, odds) in enumerate(game.chances(h.state)):
            yield History(game.step(h.state, outcome), (*h.moves, Move(CHANCE, None, index, odds)))
    elif who != TERMINAL:
        infoset = game.infoset(h.state)
        for index, action in enumerate(game.actions(h.state)):
            yield History(game.step(h.state, action), (*h.moves, Move(who, infoset, index, None)))


def histories(game: Game, h: History | None = None) -> Iterator[History]:
    """Every history from h on (from the root by default), parents first."""
    h = h or History(game.root())
    yield h
    for child in children(game, h):
        yield from histories(game, child)


def infosets(game: Game) -> dict[Key, list[History]]:
    """The histories of every infoset, infosets in order of first visit."""
    members: dict[Key, list[History]] = {}
    for h in histories(game):
        who = game.player(h.state)
        if who not in (CHANCE, TERMINAL):
            members.setdefault((who, game.infoset(h.state)), []).append(h)
    return members


def arity(game: Game, members: Sequence[History]) -> int:
    """The number of actions of an infoset, given its histories."""
    return len(game.actions(members[0].state))


def own_moves(h: History, player: int) -> list[tuple[Hashable, int]]:
    """What `player` did on the way to h: (infoset, action index) in order."""
    return [(m.infoset, m.choice) for m in h.moves if m.actor == player]


def has_perfect_recall(game: Game) -> bool:
    """Whether all histories of every infoset agree on what their mover has known and done [Kuhn 1953]."""
    return all(
        own_moves(h, player) == own_moves(members[0], player)
        for (player, _), members in infosets(game).items()
        for h in members
    )


class Counts(NamedTuple):
    """The size of a game. Depth counts moves, chance included."""

    nodes: int
    terminals: int
    chance: int
    decision: int
    infosets: tuple[int, ...]  # per player
    infoset_actions: tuple[int, ...]  # per player
    largest_infoset: int
    depth: int


def counts(game: Game) -> Counts:
    """Every size of the game, by visiting all of it."""
    nodes = list(histories(game))
    movers = [game.player(h.state) for h in nodes]
    terminals, chance = movers.count(TERMINAL), movers.count(CHANCE)
    sets = infosets(game)
    arities = [[arity(game, hs) for (who, _), hs in sets.items() if who == i] for i in range(game.players)]
    return Counts(
        nodes=len(nodes),
        terminals=terminals,
        chance=chance,
        decision=len(nodes) - terminals - chance,
        infosets=tuple(len(own) for own in arities),
        infoset_actions=tuple(sum(own) for own in arities),
        largest_infoset=max((len(members) for members in sets.values()), default=0),
        depth=max(len(h.moves) for h in nodes),
    )


# Values ---------------------------------------------------------------------------------------------------------------


def uniform(game: Game) -> Table:
    """The profile in which everybody picks any action equally often."""
    return {key: normalise([0] * arity(game, members)) for key, members in infosets(game).items()}


def probability(move: Move, strategy: Table) -> Any:
    """sigma(I,a), or the odds of a chance outcome."""
    return move.odds if move.actor == CHANCE else strategy[move.actor, move.infoset][move.choice]


def reach(h: History, strategy: Table, player: int) -> Any:
    """pi_i(h)."""
    return math.prod(probability(m, strategy) for m in h.moves if m.actor == player)


def reach_of_others(h: History, strategy: Table, player: int) -> Any:
    """pi_{-i}(h)."""
    return math.prod(probability(m, strategy) for m in h.moves if m.actor != player)


def expected_values(game: Game, strategy: Table, h: History | None = None) -> list[Any]:
    """u_i(h|sigma) of every player i: the payoff at z, and sum_a sigma(I,a) u_i(ha|sigma) before that."""
    h = h or History(game.root())
    if game.player(h.state) == TERMINAL:
        return list(game.payoff(h.state))
    values = [0] * game.players
    for child in children(game, h):
        p = probability(child.moves[-1], strategy)
        values = [v + p * u for v, u in zip(values, expected_values(game, strategy, child))]
    return values


def expected_value(game: Game, strategy: Table) -> Any:
    """u_0 of the whole game."""
    return expected_values(game, strategy)[0]


def counterfactual_value(game: Game, strategy: Table, player: int, members: Sequence[History]) -> Any:
    """v_i(I) = sum_{h in I} pi_{-i}(h) u_i(h|sigma)."""
    return sum(reach_of_others(h, strategy, player) * expected_values(game, strategy, h)[player] for h in members)


def action_values(game: Game, strategy: Table, player: int, members: Sequence[History]) -> list[Any]:
    """v_i(I,a) = sum_{h in I} pi_{-i}(h) u_i(ha|sigma), for every a."""
    values = [0] * arity(game, members)
    for h in members:
        for a, child in enumerate(children(game, h)):
            values[a] += reach_of_others(h, strategy, player) * expected_values(game, strategy, child)[player]
    return values


def regrets(game: Game, strategy: Table, player: int) -> Table:
    """r_i(I,a) = v_i(I,a) - v_i(I), for every infoset of the player."""
    table: Table = {}
    for key, members in infosets(game).items():
        if key[0] == player:
            value = counterfactual_value(game, strategy, player, members)
            table[key] = [v - value for v in action_values(game, strategy, player, members)]
    return table


# Best responses -------------------------------------------------------------------------------------------------------


def best_response(game: Game, strategy: Table, player: int) -> tuple[Any, Table]:
    """max over all strategies of i of u_i(., sigma_{-i}), and a pure strategy that attains it.

    Infosets are decided last to first, each once for all of its histories, by the largest v_i(I,a); ties go to the
    lowest index. "Last" means the most own moves before it, which perfect recall makes a number of the infoset. Depth
    in the tree will not do: the histories of an infoset may lie at different depths, and the deepest of them need not
    have the player's next infoset below it.
    """
    own = {key: members for key, members in infosets(game).items() if key[0] == player}
    answer: Table = {}
    for key in sorted(own, key=lambda key: len(own_moves(own[key][0], player)), reverse=True):
        values = action_values(game, strategy | answer, player, own[key])
        answer[key] = pure(values.index(max(values)), len(values))
    return expected_values(game, strategy | answer)[player], answer


def pure(index: int, length: int) -> list[int]:
    """All probability on one action."""
    return [int(a == index) for a in range(length)]


def best_response_by_enumeration(game: Game, strategy: Table, player: int) -> Any:
    """The same value by trying every pure strategy of the player: tiny games only (64 of them in Kuhn poker)."""
    own = {key: arity(game, members) for key, members in infosets(game).items() if key[0] == player}
    return max(
        expected_values(game, strategy | {key: pure(a, own[key]) for key, a in zip(own, choice)})[player]
        for choice in product(*(range(k) for k in own.values()))
    )


def clairvoyant_best_response(game: Game, strategy: Table, player: int, h: History | None = None) -> Any:
    """EXHIBIT, not a best response: the common mistake of maximising at every history instead of every infoset.

    The player is thereby told all hidden cards, so this is an upper bound that stays away from 0 at an equilibrium.
    """
    h = h or History(game.root())
    who = game.player(h.state)
    if who == TERMINAL:
        return game.payoff(h.state)[player]
    below = [(c.moves[-1], clairvoyant_best_response(game, strategy, player, c)) for c in children(game, h)]
    if who == player:
        return max(value for _, value in below)
    return sum(probability(move, strategy) * value for move, value in below)


def exploitability(game: Game, strategy: Table) -> Any:
    """(BR_0(sigma_1) + BR_1(sigma_0)) / 2 in a two-player zero-sum game, half of NashConv."""
    return sum(best_response(game, strategy, player)[0] for player in range(2)) / 2


# Regret minimisers ----------------------------------------------------------------------------------------------------


class Minimiser(NamedTuple):
    """How one infoset learns: R_t from (R_{t-1}, r_t, t), and the table it plays by from (R_t, r_t, t)."""

    update: Callable[[list[float], list[float], int], list[float]]
    plays: Callable[[list[float], list[float], int], list[float]] = lambda table, r, t: table


def plain_sum(old: list[float], r: list[float], t: int) -> list[float]:
    """R_t = R_{t-1} + r_t."""
    return [o + x for o, x in zip(old, r)]


def clipped_sum(old: list[float], r: list[float], t: int) -> list[float]:
    """R_t = max(R_{t-1} + r_t, 0)."""
    return [max(o + x, 0) for o, x in zip(old, r)]


rm = Minimiser(plain_sum)  # Hart and Mas-Colell 2000; Zinkevich et al. 2007
rm_plus = Minimiser(clipped_sum)  # Tammelin 2014
predictive_rm_plus = Minimiser(clipped_sum, plain_sum)  # as if r_t came again: Farina, Kroer, Sandholm 2021


def asymmetric_rm_plus(asymmetry: float = 2) -> Minimiser:
    """SAPCFR+ [Meng et al. 2025]: the forecast counts 1 / (1 + asymmetry)."""
    return Minimiser(clipped_sum, lambda table, r, t: [o + x / (1 + asymmetry) for o, x in zip(table, r)])


def predictive_discounted(alpha: float = 2.3) -> Minimiser:
    """PDCFR+ [Xu et al. 2024]: R_t = max(d(t-1) R_{t-1} + r_t, 0), playing by what R_{t+1} is if r_t comes again."""

    def kept(old: list[float], r: list[float], t: int) -> list[float]:
        return [max(o * fading(t - 1, alpha) + x, 0) for o, x in zip(old, r)]

    return Minimiser(kept, lambda table, r, t: kept(table, r, t + 1))


def scheduled(n: int) -> Minimiser:
    """HS-DCFR [Zhang, McAleer, Sandholm 2026]: DCFR with alpha = 1 + 3 s/n, beta = -1 - 2 s/n, s = t - 1 up to n."""

    def update(old: list[float], r: list[float], t: int) -> list[float]:
        share = min(t - 1, n) / n
        return discounted(1 + 3 * share, -1 - 2 * share).update(old, r, t)

    return Minimiser(update)


def discounted(alpha: float, beta: float, order: str = "before") -> Minimiser:
    """Discounted CFR [Brown and Sandholm 2019]: positive entries fade by alpha, negative ones by beta.

    D_t multiplies an entry by t^power / (t^power + 1). "before" is the equation of the paper, R_t = D_{t-1}(R_{t-1}) +
    r_t, and "after" is OpenSpiel's R_t = D_t(R_{t-1} + r_t). By induction the second table is D_t of the first; D_t
    scales all positive entries alike, so both play the same strategies.
    """

    def fade(table: list[float], t: int) -> list[float]:
        return [x * fading(t, alpha if x >= 0 else beta) for x in table]

    if order == "before":
        return Minimiser(lambda old, r, t: plain_sum(fade(old, t - 1), r, t))
    if order == "after":
        return Minimiser(lambda old, r, t: fade(plain_sum(old, r, t), t))
    raise ValueError(f"order {order!r}: expected before or after")


def fading(t: int, power: float) -> float:
    """t^power / (t^power + 1). Infinite powers keep all or nothing, even at t = 1; at t = 0 all tables are 0."""
    if t == 0 or math.isinf(power):
        return 1.0 if power > 0 else 0.0
    return t**power / (t**power + 1)


def normalise(weights: Sequence[Any]) -> list[Any]:
    """The weights as probabilities; uniform when they are all 0."""
    total = sum(weights)
    return [w / total for w in weights] if total > 0 else [1 / len(weights) for _ in weights]


def regret_matching(table: Sequence[Any]) -> list[Any]:
    """sigma(a) = max(R(a), 0) / sum_b max(R(b), 0)."""
    return normalise([max(x, 0) for x in table])


# The full-width family ------------------------------------------------------------------------------------------------


class Solution(NamedTuple):
    """What `cfr` has after its last iteration."""

    regrets: Table  # R_T
    current: Table  # sigma^{T+1}
    sums: Table  # sum_t w_t pi_i^t(I) sigma^t(I,a)
    average: Table  # the sums as probabilities


def cfr(
    game: Game,
    iterations: int,
    minimiser: Minimiser = rm,
    power: float = 0,
    skip: int = 0,
    simultaneous: bool = False,
    fade: Callable[[int], float] = lambda t: 1.0,
) -> Solution:
    """Counterfactual regret minimisation over the whole tree.

    Iteration t multiplies the sums by fade(t), adds w_t pi_i(I) sigma^t(I,a) to them, w_t = t^power if t > skip and 0
    otherwise, and then r_t to the regrets. Alternating: one player after the other, each seeing the new strategies of
    those before it. Simultaneous: everybody against the old strategies.

        CFR    cfr(game, T)                           LCFR   cfr(game, T, discounted(1, 1), power=1)
        CFR+   cfr(game, T, rm_plus, power=1)         DCFR   cfr(game, T, discounted(1.5, 0), power=2)
        PCFR+  cfr(game, T, predictive_rm_plus, power=2)
        PDCFR+ cfr(game, T, predictive_discounted(2.3), power=5)
        HS-DCFR(30)  cfr(game, T, scheduled(1000), fade=fading_by(30))
    """
    everybody = range(game.players)
    turns = [tuple(everybody)] if simultaneous else [(player,) for player in everybody]
    table, sums, current = zeros(game), zeros(game), uniform(game)
    for t in range(1, iterations + 1):
        sums = {key: [s * fade(t) for s in row] for key, row in sums.items()}
        for turn in turns:
            instant = {key: r for player in turn for key, r in regrets(game, current, player).items()}
            if t > skip:
                add_strategies(game, sums, current, turn, t**power)
            for key, r in instant.items():
                table[key] = minimiser.update(table[key], r, t)
                current[key] = regret_matching(minimiser.plays(table[key], r, t))
    return Solution(table, current, sums, {key: normalise(s) for key, s in sums.items()})


def fading_by(first: float, n: int = 1000) -> Callable[[int], float]:
    """((t-1)/t)^gamma, gamma = first - 5 (t-1)/n down to first - 5 or 0. [Zhang, McAleer, Sandholm 2026]"""
    return lambda t: ((t - 1) / t) ** max(first - 5 * min(t - 1, n) / n, 0)


def restarting(power: float = 3, base: int = 4) -> Callable[[int], float]:
    """((s-p)/(s-p+1))^power, s = t - 1, with p the largest power of base up to s: postflop-solver's, 0 where s = p."""

    def factor(t: int) -> float:
        passed = t - 1 - max((base**k for k in range(64) if base**k <= t - 1), default=0)
        return (passed / (passed + 1)) ** power

    return factor


def zeros(game: Game) -> Table:
    """A table of nothing yet."""
    return {key: [0] * arity(game, members) for key, members in infosets(game).items()}


def add_strategies(game: Game, sums: Table, strategy: Table, players: Sequence[int], weight: float) -> None:
    """s(I,a) += w pi_i(I) sigma(I,a); pi_i(I) is pi_i of any history of I, all the same by perfect recall."""
    for key, members in infosets(game).items():
        if key[0] in players:
            own = weight * reach(members[0], strategy, key[0])
            sums[key] = [s + own * p for s, p in zip(sums[key], strategy[key])]
