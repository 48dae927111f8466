"""Agents that re-solve at the table, on tiny decks: positions, odds and guarantees beside a plain enumeration."""

import pickle

import naive_table
import numpy as np
import pytest
import table_examples as examples
from click.testing import CliRunner
from table_examples import CLOSE, DEEP, FOUR_STREETS, TWO_STREETS, agent_of, blueprint_of

import mccfr
from mccfr.betting.lines import ALL_IN, BETS, Move
from mccfr.cli.main import cli
from mccfr.playing.agents import make_agent, own_table, table_named
from mccfr.playing.bulk import deal_to_many, play_deals
from mccfr.playing.exact_match import exact_match
from mccfr.playing.many_hands import BoardHands, DealtHands
from mccfr.playing.match import play_match
from mccfr.playing.policy import believe
from mccfr.playing.solution import solution_for
from mccfr.resolving.blueprint_values import first_position
from mccfr.resolving.position_tree import lay_out_position
from mccfr.resolving.resolve_words import read_bets, resolve_agent
from mccfr.solvers.street_engine import StreetEngine

GADGETS = ("unsafe", "resolve", "maxmargin")
ITERATIONS = 200


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A strategy of a small deck in a file."""
    file = tmp_path_factory.mktemp("table") / "small.mccfr"
    examples.random_strategy(TWO_STREETS).save(str(file))
    return str(file)


# Ranges and values ----------------------------------------------------------------------------------------------------


def test_ranges_and_alternatives_of_the_blueprint_are_those_by_pairs_of_hands():
    assert max(examples.first_positions()) < CLOSE


def test_after_a_bet_beside_the_tree_chips_are_those_of_the_real_pot():
    assert max(examples.beside_the_tree()) < CLOSE


@pytest.mark.slow_cases("*unsafe*", "*maxmargin*", "resolve")
@pytest.mark.parametrize("gadget", GADGETS)
def test_after_own_moves_they_follow_from_the_solution(gadget):
    assert max(examples.continued(gadget)) < CLOSE


def test_alternatives_by_best_responses_are_no_smaller():
    blueprint = blueprint_of(FOUR_STREETS)
    for line, board in examples.STARTS:
        s, moves = blueprint.table.at(line)
        by_profile, at_best = (first_position(blueprint, board, s, moves, 0, best).alternatives for best in (0, 1))
        assert (at_best >= by_profile - CLOSE).all()
        assert (at_best > by_profile + 0.1).any()


def test_where_the_blueprint_has_no_node_both_check_to_the_end():
    game = "holdem(nolimit(stack=100, bet='', cap=0), exact, ranks=4, suits=2, board='1 2')"
    blueprint = blueprint_of(game)
    board, line = (1,), "r9c/"  # a raise, which the tree has not
    s, moves = blueprint.table.at(line)
    found = first_position(blueprint, board, s, moves, 0, best=False)
    call = naive_table.Twin(make_agent("always_call", blueprint.table).policy)
    weights, hands = found.ranges[0], call.hands
    theirs = hands[9]
    pairs = [(w, mine) for w, mine in zip(weights, hands) if w > 0 and not {*mine} & {*theirs}]
    worth = sum(w * -call.value((mine, theirs), board, s) for w, mine in pairs) / sum(w for w, _ in pairs)
    assert found.alternatives[9] == pytest.approx(worth, abs=1e-5)


# Odds -----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("*unsafe*", "*maxmargin*", "resolve")
@pytest.mark.parametrize("gadget", GADGETS)
def test_odds_add_up_to_one_and_depend_on_board_and_line_alone(gadget):
    policy, again = agent_of(FOUR_STREETS, "turn", gadget), agent_of(FOUR_STREETS, "turn", gadget)
    board = (1, 6, 2)
    for line in ("ck/kk/kb4c/", "ck/kk/kk/b4", "ck/kk/b5"):
        s, moves = policy.table.at(line)
        came = board[: policy.table.board_size(s.street)]
        hands = BoardHands(policy.table, came)
        found = policy.odds(believe(policy, hands, moves, s.mover), s, hands)
        assert np.allclose(sum(found.values()), 1.0, atol=1e-12)
        assert all(not policy.table.problem(s, move) for move in found)
        other = again.odds(again.begin(hands.count), s, hands)  # nothing asked before, and another belief
        assert found.keys() == other.keys()
        assert all(np.array_equal(found[move], other[move]) for move in found)
        one = DealtHands(policy.table, np.array([(4, 7, *came)], np.uint8))
        alone = policy.odds(believe(policy, one, moves, s.mover), s, one)
        assert all(alone[move][0] == found[move][7 * 6 // 2 + 4] for move in found)


@pytest.mark.slow
def test_a_solution_that_was_forgotten_is_found_again(monkeypatch):
    policy = agent_of(FOUR_STREETS, "turn")
    s, _ = policy.table.at("ck/kk/kb4c/")
    before = policy.odds_on((1, 6, 2), s)
    monkeypatch.setattr("mccfr.resolving.table_policy.KEPT_BYTES", 1)
    s2, _ = policy.table.at("ck/kk/k")
    policy.odds_on((0, 3), s2)
    assert len(policy._kept) == 1
    after = policy.odds_on((1, 6, 2), s)
    assert all(np.array_equal(before[move], after[move]) for move in before)
    copy = pickle.loads(pickle.dumps(policy))  # as processes of a match get it
    assert all(np.array_equal(before[move], p) for move, p in copy.odds_on((1, 6, 2), s).items())


def test_before_the_street_it_plays_the_blueprint():
    policy, blueprint = agent_of(FOUR_STREETS), blueprint_of(FOUR_STREETS)
    s, moves = policy.table.at("ck/kk/kb3")
    hands = BoardHands(policy.table, (1, 6))
    found = policy.odds(believe(policy, hands, moves, 0), s, hands)
    known = blueprint.odds(believe(blueprint, hands, moves, 0), s, hands)
    assert all(np.array_equal(found[move], known[move]) for move in known)
    assert policy.solved == 0


@pytest.mark.slow_cases("*unsafe*", "*maxmargin*", "resolve")
@pytest.mark.parametrize("gadget", GADGETS)
def test_a_bet_that_was_really_made_is_in_the_tree(gadget):
    policy = agent_of(DEEP, gadget=gadget)
    board = (1, 6, 2)
    s, _ = policy.table.at("ck/b37")
    solved = policy.solution(board, s)
    betting = solved.tree.betting
    assert Move(BETS, 37) in betting.moves(0)
    node = next(child for child in betting.children(0) if betting.move(child) == Move(BETS, 37))
    assert betting.stakes[node].tolist() == [39, 2]
    assert set(policy.odds_on(board, s)) == set(betting.moves(node))
    menu = policy.solution(board, policy.table.at("ck/b4")[0])
    assert menu.tree.betting.moves(0) == [Move(1), Move(BETS, 4), Move(ALL_IN, 98)]
    assert menu is policy.solution(board, policy.table.at("ck/k")[0])  # one solution for all that the menu offers


@pytest.mark.slow
def test_own_bets_that_the_menu_lacks_have_an_answer_too():
    policy = agent_of(DEEP)
    s, _ = policy.table.at("ck/b37r80")  # a person bet 37 in this seat: what would the agent do now?
    found = policy.odds_on((1, 6, 2), s)
    assert np.allclose(sum(found.values()), 1.0)
    position = policy.solution((1, 6, 2), s).position
    assert position.state.line == "ck/b37"
    assert (position.state.stakes, position.player) == ((39, 2), 0)


def test_chips_of_another_unit_change_nothing():
    plain = resolve_agent(None, 0, examples.random_strategy(DEEP), gadget="unsafe", iterations=20).policy
    table = mccfr.table(DEEP.replace("stack=100", "stack=1600, blinds='16 32'"))
    larger = resolve_agent(table, 0, examples.random_strategy(DEEP), gadget="unsafe", iterations=20).policy
    found = plain.odds_on((1, 6, 2), plain.table.at("r6c/b37")[0])
    other = larger.odds_on((1, 6, 2), larger.table.at("r96c/b592")[0])
    assert [move.amount * 16 for move in found] == [move.amount for move in other]
    assert all(np.allclose(p, q) for p, q in zip(found.values(), other.values()))


def test_limit_is_re_solved_with_its_own_sizes():
    policy = agent_of(TWO_STREETS)
    found = policy.odds_on((1, 6, 2), policy.table.at("ck/b2")[0])
    assert [move.label for move in found] == ["fold", "call"]


# What it is worth -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained():
    return mccfr.solve(TWO_STREETS, "external", iterations=3000, seed=1).strategy()


def test_the_naive_result_of_a_blueprint_is_that_of_the_package(trained):
    blueprint = make_agent(trained).policy
    exact = mccfr.real_exploitability(trained).exploitability
    assert naive_table.exploitability(blueprint) == pytest.approx(exact, abs=1e-12)
    own = exact_match(trained, mccfr.uniform(TWO_STREETS))
    other = make_agent(mccfr.uniform(TWO_STREETS)).policy
    assert naive_table.match(blueprint, other) == pytest.approx(own.mean, abs=1e-12)


@pytest.mark.slow_cases("*maxmargin*", "resolve")
@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_re_solving_with_best_responses_is_safe(gadget, trained):
    agent = resolve_agent(None, 0, trained, gadget=gadget, iterations=ITERATIONS, values="best").policy
    blueprint = make_agent(trained).policy
    assert naive_table.exploitability(agent) < naive_table.exploitability(blueprint) + 0.01


@pytest.mark.slow_cases("*maxmargin*", "resolve")
@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_re_solving_a_uniform_strategy_is_safe(gadget):
    uniform = mccfr.uniform(TWO_STREETS)
    agent = resolve_agent(None, 0, uniform, gadget=gadget, iterations=ITERATIONS, values="best").policy
    assert naive_table.exploitability(agent) < naive_table.exploitability(make_agent(uniform).policy) + 0.01


# Budgets --------------------------------------------------------------------------------------------------------------


class FakeClock:
    """Time passes only while iterations run."""

    def __init__(self, each):
        self.now, self.each, self.done = 0.0, each, 0

    def __call__(self):
        return self.now

    def run(self, n):
        self.now += n * self.each
        self.done += n


@pytest.mark.parametrize("seconds", [0.05, 0.5, 3.0])
def test_a_time_budget_is_used_and_kept(seconds, monkeypatch):
    clock = FakeClock(0.004)
    run = StreetEngine.run

    def timed(engine, n):
        clock.run(n)
        run(engine, n)

    def built(*given):
        clock.now += 0.1 * seconds  # twice: for the blueprint's values, and for the position
        return lay_out_position(*given)

    monkeypatch.setattr(StreetEngine, "run", timed)
    monkeypatch.setattr("mccfr.resolving.blueprint_values.lay_out_position", built)
    monkeypatch.setattr("mccfr.resolving.position_solving.lay_out_position", built)
    policy = agent_of(TWO_STREETS, iterations=None, seconds=seconds)
    policy.how = policy.how._replace(clock=clock)
    found = policy.solution((1, 6, 2), policy.table.at("ck/")[0]).solved
    assert found.iterations == clock.done
    assert 0.8 * seconds <= clock.now <= 1.1 * seconds


def test_iterations_are_those_that_were_asked_for_or_come_to_the_target():
    policy = agent_of(FOUR_STREETS, "turn", iterations=17)
    assert policy.solution((1, 6), policy.table.at("ck/kk/")[0]).solved.iterations == 17
    for target in (None, "2%"):
        usual = agent_of(FOUR_STREETS, "turn", iterations=None, target=target)
        for board, line in (((1, 6), "ck/kk/"), ((1, 6, 3), "ck/kk/kk/")):
            found = usual.solution(board, usual.table.at(line)[0])
            share = found.solved.exploitability / found.tree.pot
            assert share <= (0.02 if target else 0.005) or found.solved.iterations == 2000


# An agent like the others ---------------------------------------------------------------------------------------------


def test_the_name_says_everything(saved):
    for text in (
        f"{saved}+resolve(river, gadget=unsafe, iterations=5)",
        f"resolve({saved!r}, river, unsafe, iterations=5)",
    ):
        agent = make_agent(text)
        assert agent.name == f"{saved}+resolve(river, gadget='unsafe', iterations=5)"
        assert make_agent(agent.name).name == agent.name
        assert own_table(agent) == table_named(text) == table_named(agent) == mccfr.table(TWO_STREETS)
        assert solution_for(own_table(agent), agent) is agent.policy.blueprint
    assert make_agent(f"{saved}+resolve").name == f"{saved}+resolve(river)"
    assert read_bets("pot, 50%,A") == read_bets("50%,100%,a")


@pytest.mark.slow
def test_matches_do_not_depend_on_workers(saved):
    agents = f"{saved}+resolve(river, gadget=unsafe, iterations=5)", saved
    one, two = (
        play_match(*agents, hands=260, seed=3, workers=workers, estimates=("chips", "aivat")) for workers in (1, 2)
    )
    assert np.array_equal(one.pairs("aivat"), two.pairs("aivat"))
    assert one.names[0].startswith(saved + "+resolve")


def test_many_deals_at_once_are_played_like_one_by_one(saved):
    policy = make_agent(f"{saved}+resolve(river, gadget=unsafe, iterations=5)").policy
    cards = deal_to_many(policy.table, 40, np.random.default_rng(1))
    played = play_deals(policy.table, (policy, policy), cards, [np.random.default_rng(seed) for seed in (1, 2)])
    checked = 0
    for record in played.records(("one", "two")):
        s = policy.table.start
        for number, move in enumerate(record.moves):
            board = record.board[: policy.table.board_size(s.street)]
            hands = DealtHands(policy.table, np.array([(*record.holes[s.mover], *board)], np.uint8))
            odds = policy.odds(believe(policy, hands, record.moves[:number], s.mover), s, hands)
            assert odds[move][0] > 0.0
            checked += s.street > 0
            s = policy.table.play(s, move)
    assert checked > 20


def test_local_best_response_knows_it(saved):
    text = f"{saved}+resolve(river, gadget=unsafe, iterations=20)"
    told = CliRunner().invoke(cli, ["evaluate", text, "--lbr", "limit", "--hands", "40"])
    assert told.exit_code == 0, told.output
    assert "at least" in told.output
    refused = CliRunner().invoke(cli, ["evaluate", text])
    assert refused.exit_code == 2
    assert "--lbr" in refused.output


# Bad input ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("*unsafe*")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("resolve(flop)", "resolve(flop): positions of the river or the turn are re-solved"),
        ("resolve(turn)", "has no street before its turn"),
        ("resolve(river, seconds=0)", "seconds must be more than 0"),
        ("resolve(river, seconds=fast)", "seconds must be more than 0"),
        ("resolve(river, iterations=0)", "iterations must be a whole number from 1"),
        ("resolve(river, iterations=5, seconds=1)", "resolve takes one of target, iterations and seconds"),
        ("resolve(river, target=0.5)", "target must be a percentage of the pot"),
        ("resolve(river, target='0%')", "target must be a percentage of the pot"),
        ("resolve(river, gadget=safe)", "'safe' is no gadget"),
        ("resolve(river, gadget=reach)", "expected resolve, maxmargin or unsafe"),
        ("resolve(river, bets='3q')", "is no size"),
        ("resolve(river, bets=3)", "bets must be sizes"),
        ("resolve(river, values=worst)", "values is 'worst'"),
        ("resolve(river, depth=2)", "resolve takes (strategy, street=river"),
        ("resolve(river", "no agent"),
    ],
)
def test_what_is_refused_is_refused_in_one_line(words, told, saved):
    done = CliRunner().invoke(cli, ["match", f"{saved}+{words}", saved, "--hands", "4"])
    assert done.exit_code == 2
    assert told in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_other_tables_and_other_agents_are_refused(saved):
    elsewhere = CliRunner().invoke(cli, ["match", f"{saved}+resolve(river)", "blueprint:limit", "--hands", "4"])
    assert (elsewhere.exit_code, "which is not" in elsewhere.output) == (2, True)
    simple = CliRunner().invoke(cli, ["match", "always_call+resolve(river)", saved, "--hands", "4"])
    assert (simple.exit_code, "is no strategy to re-solve from" in simple.output) == (2, True)
