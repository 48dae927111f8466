"""Playthroughs: a few games of every rule book, written down, so that a change of the rules shows as a changed line.

`python tests/playthrough.py --write` writes them again to tests/playthroughs.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mccfr.betting.structures import Limit, NoLimit
from mccfr.games.base import CHANCE, TERMINAL, Game
from mccfr.games.bluff import Bluff
from mccfr.games.generic_poker import GenericPoker
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.holdem import Holdem
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.games.matrix import Matrix, RockPaperScissors
from mccfr.games.spot import Spot

FOLDER = Path(__file__).parent / "playthroughs"
SEEDS = range(1, 6)
COUNTED = {  # small enough to be counted in full
    "kuhn": Kuhn(),
    "kuhn_two_suits": Kuhn(suits=2),
    "leduc": Leduc(),
    "leduc_ranks": Leduc(suits=False),
    "leduc_shifted": Leduc(shift=100),
    "gp": GenericPoker(),
    "gp_sizes": GenericPoker(types=3, copies=1, raises=2, sizes=2),
    "gp_ranks": GenericPoker(6, 4, 4, 1, suits=False),
    "goofspiel": Goofspiel(),
    "goofspiel_full": Goofspiel(n=3, collapse=False),
    "bluff_three_faces": Bluff(2, 1, faces=3).with_values({"1-1": 0.125}),
    "bluff_winner_opens": Bluff(2, 2, opener="winner", faces=2).with_values({"2-1": 0.25}),
    "bluff_alternate": Bluff(1, 2, opener="alternate", faces=3).with_values({"1-1": 0.5}),
    "bluff_literal": Bluff(2, 1, rounds="literal", faces=2),
    "matrix": Matrix([[1, -2], [0, 3.5]]),
    "matrix_names": Matrix([[2, 0, 1]], rows=["only"], columns=["left", "middle", "right"]),
    "rps": RockPaperScissors(),
    "spot_river": Spot(
        **{"board": "Qs Jh 2h 8c 3d", "pot": 100, "stack": 200, "oop": "QQ,AhKh", "ip": "JJ:0.5,KQs"},
        **{"bet": "50%,a", "raise_": "2.5x,a", "lock": [{"line": "k", "b50": "JJ:0.75", "k": "rest"}]},
    ),
    "spot_turn": Spot(
        **{"board": "2c 3d 4c 5d", "pot": 10, "stack": 20, "oop": "66,5c4d", "ip": "all", "bet": "50%", "raise_": "a"},
        **{"ranks": 5, "suits": 2},
    ),
    "holdem_limit": Holdem(Limit(cap=1), ranks=7, suits=1, board="3"),
}
PLAYED = {
    "holdem_nolimit": Holdem(NoLimit(stack=20, bet="100%", raise_="100%,a"), ranks=4, suits=2, board="1 1 1"),
    "spot_flop": Spot(
        **{"board": "2c 3d 6c", "pot": 6, "stack": 9, "oop": "66,54", "ip": "all", "bet": "33%,a", "raise_": "3x"},
        **{"ranks": 5, "suits": 2, "turn": {"ip": {"bet": "a"}}},
    ),
    "gp_suits": GenericPoker(6, 4, 4, 1),
    "goofspiel_ten": Goofspiel(n=10),
    "bluff_one": Bluff(rounds="one"),
}
GAMES: dict[str, Game] = COUNTED | PLAYED


class Census(NamedTuple):
    """What there is in a tree, per player where it is a tuple."""

    nodes: int
    terminals: int
    chance: int
    decisions: int
    infosets: tuple[int, int]
    actions: tuple[int, int]  # infoset-action pairs
    largest: int  # nodes of the largest infoset
    depth: int  # moves of the longest game


def children(game: Game, state: Any) -> list[Any]:
    """The states one move on, in order."""
    player = game.player(state)
    if player == TERMINAL:
        return []
    moves = [a for a, _ in game.chances(state)] if player == CHANCE else game.actions(state)
    return [game.step(state, a) for a in moves]


def census(game: Game) -> Census:
    """Counts a tree by visiting all of it."""
    kinds: Counter[int] = Counter()
    sizes: Counter[tuple[int, Any]] = Counter()
    menus: dict[tuple[int, Any], Any] = {}
    depth, stack = 0, [(game.root(), 0)]
    while stack:
        state, moves = stack.pop()
        player = game.player(state)
        kinds[player] += 1
        depth = max(depth, moves)
        if player >= 0:
            key = (player, game.infoset(state))
            sizes[key] += 1
            menu = game.actions(state)
            if menus.setdefault(key, menu) != menu:
                raise AssertionError(f"{key} has the actions {menu} and {menus[key]}")
        stack += [(child, moves + 1) for child in children(game, state)]
    infosets, actions = [0, 0], [0, 0]
    for (player, _), menu in menus.items():
        infosets[player] += 1
        actions[player] += len(menu)
    return Census(
        kinds.total(),
        kinds[TERMINAL],
        kinds[CHANCE],
        kinds[0] + kinds[1],
        (infosets[0], infosets[1]),
        (actions[0], actions[1]),
        max(sizes.values()),
        depth,
    )


def play(game: Game, seed: int) -> Iterator[str]:
    """One random game, a line per move."""
    dice, state = random.Random(seed), game.root()
    while (player := game.player(state)) != TERMINAL:
        if player == CHANCE:
            chances = game.chances(state)
            moves, weights = [a for a, _ in chances], [chance for _, chance in chances]
            yield "chance: " + " ".join(f"{a}={chance:.6g}" for a, chance in chances)
        else:
            moves, weights = list(game.actions(state)), None
            yield f"player {player} at {game.infoset(state)} may " + " | ".join(moves)
        move = dice.choices(moves, weights)[0]
        yield f"  {move}"
        state = game.step(state, move)
    yield "payoff " + " ".join(f"{payoff:g}" for payoff in game.payoff(state))


def render(name: str) -> str:
    """The text of a playthrough file."""
    game = GAMES[name]
    lines = [str(game)]
    if name in COUNTED:
        lines += [f"{key} {value}" for key, value in census(game)._asdict().items()]
    for seed in SEEDS:
        lines += ["", f"game {seed}", *play(game, seed)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/playthrough.py --write")
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(render(name))
