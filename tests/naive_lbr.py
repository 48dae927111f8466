"""Local best response again, slowly and obviously: ranges are dictionaries, and run-outs are listed.

Only the strategy of the other player, the rules of betting and the strength of seven cards are the package's; these
have tests of their own. The package is imported where it is used: programs that look for planted bugs import it many
times.
"""

import itertools
import math

ROUNDING = 1e-9
CALLS_FIRST = {"fold_call": 0, "pot": 2, "grid": 2, "flop_grid": 1, "limit": 0}  # streets without a choice


class Naive:
    """Local best response to a policy, over all deals."""

    def __init__(self, policy, setting):
        self.policy, self.setting, self.table = policy, setting, policy.table
        self.cards = range(policy.table.ranks * policy.table.suits)
        self.kept = {}
        self.decisions = {}

    # ---- what the other player does, hand by hand

    def odds(self, hand, board, moves):
        """Probabilities of moves of the player to move, with this hand after these moves."""
        board = board[: self.table.board_size(self.state(moves).street)]
        key = hand, board, moves
        if key not in self.kept:
            from mccfr.playing.policy_agent import PolicyAgent
            from mccfr.playing.seen import Seen

            s = self.state(moves)
            seen = Seen(self.table, s.mover, hand, board, s, moves)
            self.kept[key] = PolicyAgent(self.policy).odds(seen)
        return self.kept[key]

    def state(self, moves):
        key = "state", moves
        if key not in self.kept:
            before = self.state(moves[:-1]) if moves else None
            self.kept[key] = self.table.betting.play(before, moves[-1]) if moves else self.table.start
        return self.kept[key]

    def reach(self, hand, board, moves, seat):
        """P(the moves of a seat | its hand)."""
        if not moves:
            return 1.0
        before = self.reach(hand, board, moves[:-1], seat)
        if self.state(moves[:-1]).mover != seat or before == 0.0:
            return before
        return before * self.odds(hand, board, moves[:-1]).get(moves[-1], 0.0)

    def range(self, own, board, moves, seat):
        """P(moves of the other player | hand) for all hands it can have, those with 0 left out."""
        left = [card for card in self.cards if card not in own and card not in board]
        found = {hand: self.reach(hand, board, moves, 1 - seat) for hand in itertools.combinations(left, 2)}
        return {hand: weight for hand, weight in found.items() if weight > 0.0}

    # ---- chances

    def strength(self, hand, board):
        from mccfr.cards.evaluator import strength

        key = frozenset(hand), frozenset(board)
        if key not in self.kept:
            cards = [4 * (card // self.table.suits) + card % self.table.suits for card in (*hand, *board)]
            self.kept[key] = strength(cards)
        return self.kept[key]

    def chance(self, own, other, board):
        """P(win) + P(tie) / 2 over all boards that can follow."""
        key = own, other, board
        if key not in self.kept:
            left = [card for card in self.cards if card not in (*own, *other, *board)]
            results = []
            for more in itertools.combinations(left, sum(self.table.deals) - len(board)):
                mine, theirs = self.strength(own, (*board, *more)), self.strength(other, (*board, *more))
                results.append(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
            self.kept[key] = sum(results) / len(results)
        return self.kept[key]

    def wins(self, own, board, held):
        total = sum(held.values())
        return sum(weight * self.chance(own, hand, board) for hand, weight in held.items()) / total if total else 0.0

    # ---- decisions

    def sizes(self, s):
        """Raises to these amounts."""
        legal = self.table.legal(s).bounds
        rule = self.setting
        if legal is None or rule == "fold_call" or (rule == "flop_grid" and s.street != 1):
            return []
        theirs, (low, most) = s.stakes[1 - s.mover], legal
        level = theirs - s.opened
        if rule == "limit":
            return [low]
        if rule == "pot":
            return sorted({min(max(level + 2 * theirs, low), most), most})
        first, last = min(0.2 * theirs, most - level), most - level
        steps = [first * (last / first) ** (j / 55) for j in range(56)]
        return sorted({min(max(level + round(x), low), most) for x in steps})

    def decide(self, own, board, moves, seat):
        """The best move."""
        s = self.state(moves)
        legal = self.table.legal(s).moves
        if s.street < CALLS_FIRST[self.setting]:
            return legal[-1]
        from mccfr.betting.lines import FOLD

        held = self.range(own, board, moves, seat)
        pot, asked = s.stakes[0] + s.stakes[1], s.stakes[1 - seat] - s.stakes[seat]
        wp = self.wins(own, board, held)
        values = [(FOLD, 0.0)] if asked else []
        values.append((legal[-1], wp * pot - (1 - wp) * asked))
        for amount in self.sizes(s):
            move = self.table.raise_to(s, amount)
            beyond = s.opened + amount - s.stakes[1 - seat]
            staying = {h: w * (1 - self.odds(h, board, (*moves, move)).get(FOLD, 0.0)) for h, w in held.items()}
            fp = 1 - sum(staying.values()) / sum(held.values())
            later = self.wins(own, board, staying)
            values.append((move, fp * pot + (1 - fp) * (later * (pot + beyond) - (1 - later) * (asked + beyond))))
        best = values[0]
        for each in values[1:]:
            best = each if each[1] > best[1] + ROUNDING else best
        self.decisions[own, board, tuple(moves), seat] = best
        return best[0]

    # ---- values, deal by deal: here the other player has a hand

    def value(self, seat, hands):
        """What local best response wins in a seat with these hands, over all deals and moves of the other player."""
        total, count = 0.0, 0
        for own in hands:
            left = [card for card in self.cards if card not in own]
            for other in itertools.combinations(left, 2):
                rest = [card for card in left if card not in other]
                for dealt in self.deals(rest, self.table.deals):
                    total += self.play(own, other, dealt, (), seat)
                    count += 1
        return total / count

    def deals(self, rest, sizes):
        """All boards as they come, street by street."""
        if not sizes:
            yield ()
            return
        for some in itertools.combinations(rest, sizes[0]):
            for more in self.deals([card for card in rest if card not in some], sizes[1:]):
                yield (*some, *more)

    def play(self, own, other, dealt, moves, seat):
        """What is won from here on with these cards."""
        s = self.state(moves)
        if s.mover < 0:
            if s.folded >= 0:
                return -min(s.stakes) if s.folded == seat else min(s.stakes)
            mine, theirs = self.strength(own, dealt), self.strength(other, dealt)
            return min(s.stakes) * ((mine > theirs) - (mine < theirs))
        board = dealt[: self.table.board_size(s.street)]
        if s.mover == seat:
            key = "move", own, board, moves, seat
            if key not in self.kept:
                self.kept[key] = self.decide(own, board, moves, seat)
            return self.play(own, other, dealt, (*moves, self.kept[key]), seat)
        return math.fsum(
            p * self.play(own, other, dealt, (*moves, move), seat) for move, p in self.odds(other, board, moves).items()
        )
