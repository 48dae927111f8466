"""The bots of Lin 2024 and ours beside them: their games, methods and seeds, which three figures share.

Lin's bot has his betting (`mccfr.betting.lin`), classes of hands made by hand (`lin`), external sampling, a floor that
falls to 0 at 40,000 games, initial weights of a big blind, and a reward. Ours is `blueprint:nolimit`, trained anew.
"""

from mccfr.betting.lin import LIN
from mccfr.blueprints import BLUEPRINTS
from mccfr.papers.figure import Job, Scale
from mccfr.papers.lin import UNTIL
from mccfr.papers.trained_bots import Bot, big_blind, prepare_cards

LIN_GAME = f"holdem({LIN}, lin)"
OUR_GAME = BLUEPRINTS["nolimit"].game
REWARDS = ("y1", "y2", "y3", "y4")
HIS = "y2"  # the reward that the paper recommends, and that we take for that of its bot
APART = 1000  # seeds of one reward and those of the next: no two bots share dice
LINS, OURS = "Lin's bot", "ours"


def method_of(reward: str, unit: int, prior: bool = True) -> str:
    """Lin's method with one of his rewards; a unit is a big blind."""
    first = f"+prior({unit})" if prior else ""
    return f"external+floor(0.01, {UNTIL}){first}+reward({reward}, unit={unit})"


def lin_bot(scale: Scale, reward: str, number: int) -> Bot:
    """The bot of a reward and a number from 0 on."""
    game = scale.games[0]
    seed = APART * REWARDS.index(reward) + number
    return Bot(game, method_of(reward, big_blind(game)), seed, scale.seconds)


def our_bot(scale: Scale, number: int) -> Bot:
    """Our strategy of equal CPU time."""
    return Bot(scale.games[1], BLUEPRINTS["nolimit"].method, number, scale.seconds)


def bots_of(scale: Scale) -> dict[str, list[Bot]]:
    """Lin's bots and ours, by name."""
    numbers = range(scale.seeds)
    return {LINS: [lin_bot(scale, HIS, j) for j in numbers], OURS: [our_bot(scale, j) for j in numbers]}


def trainings(bots: list[Bot]) -> list[list[Job]]:
    """Two stages: the tables of every game, then a training of every bot."""
    return [[Job(prepare_cards, {"game": game}) for game in dict.fromkeys(bot.game for bot in bots)],
            [bot.job for bot in bots]]  # fmt: skip
