"""`mccfr play --spots KIND`: decisions of one kind, judged at once."""

import random
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.play_screen import TableScreen
from mccfr.playing.hand_words import YOU, cards_text, odds_text, street_text, told_move
from mccfr.playing.human import Human, LeftTheTable
from mccfr.playing.judging import Judgement, judged, load_kept_tables
from mccfr.playing.training_spots import SpotDealer, read_kind

if TYPE_CHECKING:
    from mccfr.playing.policy import Policy
    from mccfr.playing.seen import Seen


class Score:
    """How many decisions were right, and what they have cost."""

    def __init__(self, big_blind: int) -> None:
        """Begin with none."""
        self.big_blind = big_blind
        self.judgements: list[Judgement] = []

    @property
    def right(self) -> int:
        """Decisions that the solution makes often enough."""
        return sum(each.right for each in self.judgements)

    @property
    def loss(self) -> float:
        """The mean loss, in big blinds."""
        return sum(each.loss.mean for each in self.judgements) / len(self.judgements) / self.big_blind

    def __str__(self) -> str:
        done = len(self.judgements)
        if not done:
            return "No decision was made."
        share = f"{self.right} of {done} right ({100 * self.right / done:.0f} %)"
        return f"{share}, mean loss {self.loss:.2f} bb a decision"

    def document(self) -> dict[str, Any]:
        """The score for JSON."""
        done = len(self.judgements)
        return {"decisions": done, "right": self.right, "mean_loss_bb": self.loss if done else None}


def train(policy: "Policy", text: str, screen: TableScreen, seats: list[int], count: int | None, seed: int) -> Score:
    """Deal spots of a kind until there were so many, or the person leaves."""
    dealer = SpotDealer(policy, read_kind(text, policy.table), random.Random(f"{seed}/spots"))
    load_kept_tables(policy)
    score, human = Score(policy.table.big_blind), Human(screen, policy)
    try:
        while count is None or len(score.judgements) < count:
            number = len(score.judgements)
            seen = dealer.deal(seats[number % len(seats)])
            _begin(screen, seen, number)
            move = human.move(seen)
            dice = random.Random(f"{seed}/rollouts/{number}")
            score.judgements.append(judged(seen, move, policy, policy, dice))
            print_judgement(score.judgements[-1], policy.name)
            if len(score.judgements) != count:
                click.echo(f"Score: {score}")
    except (LeftTheTable, KeyboardInterrupt):
        click.echo()
    return score


def _begin(screen: TableScreen, seen: "Seen", number: int) -> None:
    """What has happened in the hand so far."""
    seat = ("big blind", "dealer")[seen.seat]
    screen.rule(f"Spot {number + 1}: {street_text(seen.state.street)}, you are the {seat}")
    s = seen.table.start
    for move in seen.moves:
        click.echo(f"  {told_move(YOU if s.mover == seen.seat else screen.bot, s, move)}")
        after = seen.table.play(s, move)
        if after.street > s.street:
            board = seen.board[: seen.table.board_size(after.street)]
            click.echo(f"  {street_text(after.street).capitalize()}: {cards_text(seen.table, board)}")
        s = after


def print_judgement(judgement: Judgement, name: str) -> None:
    """What the solution does, what its moves are worth, and what the move made has cost."""
    big_blind, values = judgement.seen.table.big_blind, judgement.values
    click.echo(f"{'Right' if judgement.right else 'Wrong'}. {name} does this: {odds_text(judgement.odds)}")
    if values is not None:
        worth = ", ".join(f"{move.label} {values.value(move).mean / big_blind:+.2f}" for move in values.sums)
        click.echo(f"Worth in bb from here on: {worth} ({'exact' if values.exact else 'by rollouts'})")
    click.echo(f"{judgement.done.label} has cost {loss_text(judgement)}")


def loss_text(judgement: Judgement) -> str:
    """The loss in big blinds, with its interval where it is estimated."""
    big_blind = judgement.seen.table.big_blind
    mean, low, high = (x / big_blind for x in judgement.loss)
    return f"{mean + 0.0:.2f} bb" if low == high else f"{mean:.2f} bb ({low:.2f} to {high:.2f})"
