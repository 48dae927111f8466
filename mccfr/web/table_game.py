"""A page's game against an agent: hand after hand, the dealer alternating, and how it stands."""

import random
import secrets
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from mccfr.playing.played_hand import HandRecord, deal_cards
from mccfr.playing.table import TableError
from mccfr.web.hand_review import Advice, advise, agents_range, told_advice
from mccfr.web.hands_to_download import written_hands
from mccfr.web.move_words import read_move
from mccfr.web.opponents import Opponent
from mccfr.web.page_hand import PageHand
from mccfr.web.table_view import hand_view, rules_of
from mccfr.web.tally import Tally, without_luck

MOST_HANDS = 2000  # that a game keeps for its history; of older ones only the result stays
SEED_BITS = 64


class Game:
    """Hands between one page and one agent. Used by one thread at a time: `lock`.

    `seeds` gives the number that a hand's cards and dice follow from; by default nobody can know it beforehand.
    """

    def __init__(self, opponent: Opponent, seeds: Callable[[], int] | None = None) -> None:
        """Sit down; the first hand is dealt by `deal`."""
        self.opponent, self.table, self.policy = opponent, opponent.table, opponent.policy
        self.agent = opponent.agent()
        self.seeds = seeds or (lambda: secrets.randbits(SEED_BITS))
        self.token = secrets.token_urlsafe(16)  # by which its page finds it again
        self.lock = threading.Lock()
        self.hand: PageHand | None = None
        self.number = 0
        self.decisions: list[Advice] = []
        self.records: deque[HandRecord] = deque(maxlen=MOST_HANDS)
        self.plain, self.adjusted = Tally(), Tally()
        self._unadjusted: list[tuple[HandRecord, int]] = []
        self._adjusts = True  # a mean over some of the hands would mean nothing

    def view(self) -> dict[str, Any]:
        """All that the page may know now."""
        hand = self.hand
        return {
            "type": "table",
            "game": self.token,
            "agent": self.opponent.name,
            "rules": rules_of(self.table),
            "hand": None if hand is None else hand_view(hand, self._advice(hand)),
            "score": self.score(),
        }

    def _advice(self, hand: PageHand) -> Advice | None:
        return self.decisions[-1] if not hand.over and self.decisions else None

    def score(self) -> dict[str, Any]:
        """How it stands: as it was, and without luck where that can be said."""
        blind = self.table.big_blind
        return {"plain": self.plain.told(blind), "aivat": self.adjusted.told(blind) if self.adjusted.hands else None}

    def deal(self) -> None:
        """The next hand; whoever dealt the last one does not deal this one."""
        if self.hand is not None and not self.hand.over:
            raise TableError(f"hand {self.hand.number} is not over: play it to its end")
        self.number += 1
        seed = self.seeds()
        cards = deal_cards(self.table, random.Random(f"{seed} cards"))
        seat = self.table.betting.dealer if self.number % 2 else 1 - self.table.betting.dealer
        dice = random.Random(f"{seed} agent")
        self.decisions = []
        self.hand = PageHand(self.table, self.agent, seat, cards, dice, self.number)
        self._let_agent_move(self.hand)

    def act(self, number: int, line: str, text: str) -> None:
        """A move of the page in a hand as the page saw it; one that comes twice or too late is refused."""
        hand = self.hand
        if hand is None or hand.over:
            raise TableError("no hand is being played: deal the next one")
        if (number, line) != (hand.number, hand.state.line):
            raise TableError(f"that move is for another moment: hand {hand.number} stands at {hand.state.line!r}")
        move = read_move(self.table, hand.state, text)
        hand.play(move)
        if self.decisions:
            self.decisions[-1] = self.decisions[-1]._replace(made=move)
        self._let_agent_move(hand)

    def _let_agent_move(self, hand: PageHand) -> None:
        """The agent's moves; if it cannot make one, the hand does not count."""
        try:
            hand.let_agent_move()
        except Exception:
            self.hand = None
            raise
        if hand.over:
            self._count(hand)
        elif self.policy is not None:
            self.decisions.append(advise(self.policy, hand.seen_by(hand.seat)))

    def _count(self, hand: PageHand) -> None:
        self.records.append(hand.record)
        self.plain.add(hand.won)
        self._unadjusted.append((hand.record, hand.seat))

    def review(self) -> dict[str, Any]:
        """What can be said about the last hand now that it is over."""
        hand = self.hand
        if hand is None or not hand.over:
            raise TableError("a hand is reviewed when it is over")
        self._adjust()
        policy = self.policy
        return {
            "type": "review",
            "number": hand.number,
            "range": None if policy is None else agents_range(policy, hand.record, 1 - hand.seat),
            "decisions": [told_advice(self.table, each) for each in self.decisions],
            "score": self.score(),
        }

    def _adjust(self) -> None:
        """Take luck out of the hands where that has not been done; if it fails for one, the figure is given up."""
        waiting, self._unadjusted = self._unadjusted, []
        for record, seat in waiting:
            chips = without_luck(record, seat, self.policy) if self._adjusts else None
            if chips is None:
                self.adjusted, self._adjusts = Tally(), False
            else:
                self.adjusted.add(chips)

    def history(self) -> dict[str, Any]:
        """The hands that were played to their end, as a file."""
        name, text = written_hands(list(self.records))
        return {"type": "history", "name": name, "text": text}
