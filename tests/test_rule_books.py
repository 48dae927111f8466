"""What every rule book keeps to: recorded playthroughs, string forms, and one line for each refused parameter."""

import pytest
from playthrough import FOLDER, GAMES, render

from mccfr.errors import GameError
from mccfr.games.base import Game
from mccfr.games.bluff import Bluff
from mccfr.games.generic_poker import GenericPoker
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.games.matrix import Matrix, RockPaperScissors


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name):
    """If the change is meant: python tests/playthrough.py --write"""
    assert render(name) == (FOLDER / f"{name}.txt").read_text()


def test_every_playthrough_file_has_its_game():
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_rule_books_are_games(name):
    assert isinstance(GAMES[name], Game)
    assert hash(GAMES[name].root()) == hash(GAMES[name].root())


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Kuhn(), "kuhn"),
        (Leduc(), "leduc"),
        (Leduc(suits=False, shift=100), "leduc(suits=False, shift=100)"),
        (GenericPoker(6, 4, 4, 1), "gp(types=6, copies=4, raises=4)"),
        (Goofspiel(n=6), "goofspiel(n=6)"),
        (Bluff(2, 1), "bluff(dice0=2)"),
        (Bluff(2, 1).with_values({"1-1": 0.5}), "bluff(dice0=2)"),
        (Bluff(rounds="one"), "bluff(rounds=one)"),
        (Matrix([[1, 2]]), "matrix(payoffs=((1, 2),))"),
        (RockPaperScissors(), "rps"),
    ],
)
def test_string_forms(game, text):
    assert str(game) == text


def test_values_do_not_change_which_game_it_is():
    game = Bluff(2, 1)
    assert game == game.with_values({"1-1": 0.5})
    assert repr(game) == repr(game.with_values({"1-1": 0.5}))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Goofspiel(n="x"), "goofspiel: n must be a whole number from 2 to 10, got 'x'"),
        (lambda: Goofspiel(n=True), "goofspiel: n must be a whole number from 2 to 10, got True"),
        (lambda: Goofspiel(n=11), "goofspiel: n must be a whole number from 2 to 10, got 11"),
        (lambda: Goofspiel(collapse=1), "goofspiel: collapse must be True or False, got 1"),
        (lambda: Leduc(suits="no"), "leduc: suits must be True or False, got 'no'"),
        (lambda: Leduc(shift=float("nan")), "leduc: shift must be a finite number, got nan"),
        (lambda: GenericPoker(raises=2.0), "gp: raises must be a whole number from 0 to 9, got 2.0"),
        (lambda: GenericPoker(types=2, copies=1), "gp: types * copies must be at least 3 cards, got 2"),
        (lambda: Bluff(0, 1), "bluff: dice0 must be a whole number from 1 to 9, got 0"),
        (lambda: Bluff(rounds="two"), "bluff: rounds must be one of one, literal, all, got 'two'"),
        (lambda: Bluff(opener=1), "bluff: opener must be one of loser, winner, alternate, got 1"),
        (lambda: Bluff(2, 1).with_values({}), "bluff(dice0=2): values needed for ['1-1'], got them for []"),
        (
            lambda: Bluff(2, 1).with_values({"1-1": None}),
            "bluff(dice0=2): the value of 1-1 must be a finite number, got None",
        ),
        (
            lambda: next(Bluff(2, 1).levels()),
            "bluff(dice0=2): payoff needs the value of the smaller game 1-1, see subgames and with_values",
        ),
        (
            lambda: Matrix([[1, 2], [3]]),
            "matrix: payoffs must be rows of equal length such as [[1, -1], [-1, 1]], got rows of [1, 2] entries",
        ),
        (
            lambda: Matrix([]),
            "matrix: payoffs must be rows of equal length such as [[1, -1], [-1, 1]], got no rows",
        ),
        (lambda: Matrix(3), "matrix: payoffs must be rows of equal length such as [[1, -1], [-1, 1]], got 3"),
        (lambda: Matrix([[1, "a"]]), "matrix: payoffs[0][1] must be a finite number, got 'a'"),
        (lambda: Matrix([[1, 2]], rows=["a", "b"]), "matrix: rows must be 1 different names, got ['a', 'b']"),
        (lambda: Matrix([[1, 2]], columns=["a", "a"]), "matrix: columns must be 2 different names, got ['a', 'a']"),
    ],
)
def test_refused_parameters(build, message):
    with pytest.raises(GameError) as refused:
        build()
    assert str(refused.value) == message
