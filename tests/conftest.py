"""What all tests share: a cache folder of their own, and the way between the package's arrays and the naive tables."""

import os
import signal
import tempfile

import naive
import numpy as np
import pytest
from hypothesis import settings

CACHE = tempfile.TemporaryDirectory(prefix="mccfr-tests-")
os.environ["MCCFR_CACHE"] = CACHE.name

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script: children would be deaf too
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = (  # cases that compile much and whose like is tested by a quicker one: they are for `make test-all`
    "test_bucket_walks.py::test_looking_ahead_changes_nothing[exact",
    "test_bucket_walks.py::test_compiled_is_interpreted_bit_for_bit[outcome+infoset]",
    "test_street_sweeps.py::test_compiled_sweeps_are_interpreted_ones[locked by range",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[river-resolve-2]",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[river-maxmargin-2]",
    "test_abstract.py::test_all_ways_to_work_it_out_agree[holdem(nolimit",
    "test_dealt_large.py::test_a_walk_in_branches_is_the_walk[hs_dcfr",
    "test_public_outcome.py::test_predictive_baselines_end_the_variance_once_everything_was_met[uniform+discounted",
    "test_public_outcome.py::test_predictive_baselines_end_the_variance_once_everything_was_met[outcome",
    "test_vector_sampling.py::test_named_methods_learn[average",
    "test_vector_sampling.py::test_compiled_is_interpreted_bit_for_bit[leduc-mixture]",
    "test_dealt_walks.py::test_workers_share_dealt_games[locked]",
    "test_level_sweeps.py::test_so_they_are_after_50_iterations_of_larger_games[bluff",
    "test_level_sweeps.py::test_so_they_are_after_50_iterations_of_larger_games[goofspiel",
    "test_board_responses.py::test_best_responses_are_those_of_the_dealt_form[one card a street]",
    "test_board_responses.py::test_every_flop_is_worth_what_its_street_tree_says[one street more]",
    "test_cluster.py::test_a_run_goes_on_with_or_without_its_cluster",
    "test_dealt_large.py::test_a_large_strategy_is_used_like_any_other",
    "test_dealt_large.py::test_a_walk_in_branches_is_the_walk[dcfr_restarts",
    "test_papers_public.py::test_variances_in_leduc",
    "test_abstract.py::test_an_equilibrium_of_the_abstract_game_is_not_exploitable",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[river-resolve-3]",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[river-maxmargin-3]",
    "test_dealt_mutants.py",
    "test_public_outcome.py::test_other_minimisers_learn_too",
    "test_street_values.py::test_methods_learn_what_they_learn_in_dealt_form[locked by range",
    "test_vector_sampling.py::test_a_run_goes_on_from_its_arrays[mixture]",
    "test_street_sweeps.py::test_compiled_sweeps_are_interpreted_ones[locked on a river-dcfr+float32]",
    "test_bucket_walks.py::test_uniform_play_loses_the_same_with_exact_buckets_and_without[exact]",
    "test_table_policy.py::test_after_own_moves_they_follow_from_the_solution[maxmargin]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/resolving-holdem.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/audit.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/dealt.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/your-own-method.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/holdem-real.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/spots.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/experiments.md]",
    "test_docs.py::test_examples_run[coin_sampler.py]",
    "test_docstrings.py::test_examples_print_what_they_say[resolving/quick_solve.py]",
    "test_public_outcome.py::test_compiled_is_interpreted_bit_for_bit[uniform+rm_plus+linear+infoset(rate=0.5)]",
    "test_public_outcome.py::test_compiled_is_interpreted_bit_for_bit[outcome(epsilon=0.5)+prm_plus",
    "test_public_outcome.py::test_it_learns_leduc[True]",
    "test_public_variance.py::test_draws_vary_as_much",
    "test_street_gates.py::test_solutions_have_the_value_of_the_linear_programme[river-resolve]",
    "test_street_gates.py::test_solutions_have_the_value_of_the_linear_programme[river-maxmargin]",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[river, the opponent first",
    "test_table_policy.py::test_odds_add_up_to_one_and_depend_on_board_and_line_alone[maxmargin]",
    "test_street_sweeps.py::test_single_precision_changes_little_on_small_games",
    "test_resolving.py::test_solvers_of_all_kinds_take_a_position",
    "test_sweep.py::test_a_sweep_killed_and_stopped_comes_to_the_same_result",
    "test_resolve_command.py::test_an_agent_at_a_small_table",
    "test_street_values.py::test_methods_learn_what_they_learn_in_dealt_form[locked first-dcfr]",
    "test_extend.py::test_compiled_is_interpreted_bit_for_bit[constant_baseline.py",
    "test_vector_sampling.py::test_named_methods_learn[outcome",
    "test_vector_sampling.py::test_named_methods_learn[robust",
    "test_vector_sampling.py::test_compiled_is_interpreted_bit_for_bit[leduc-average]",
    "test_semi_vector.py::test_it_learns[robust",
    "test_reading.py::test_views_show_what_every_history_together_says[locked]",
    "test_third_tree.py::test_every_method_is_audited",
    "test_board_responses.py::test_every_flop_is_worth_what_its_street_tree_says[one card a street]",
    "test_bucket_walks.py::test_uniform_play_loses_the_same_with_exact_buckets_and_without[exact, all-ins]",
    "test_third_tree.py::test_it_is_shown_on_the_page",
    "test_third_tree.py::test_it_is_solved[outcome+infoset",
    "test_street_forms.py::test_whole_hands_are_those_of_openspiel[no-limit",
    "test_abstract.py::test_solvers_and_runs_do_not_measure_what_takes_minutes",
    "test_extend.py::test_compiled_is_interpreted_bit_for_bit[hedge.py-cfr",
    "test_extend.py::test_compiled_is_interpreted_bit_for_bit[hedge.py-external",
    "test_papers.py::test_noted_regrets_have_the_naive_mean[include]",
    "test_papers.py::test_noted_regrets_have_the_naive_mean[robust]",
    "test_papers.py::test_every_figure_writes_its_folder[lin2024-variants]",
    "test_papers.py::test_every_figure_writes_its_folder[lin2024-size]",
    "test_papers.py::test_every_figure_writes_its_folder[davis2019-fig1c]",
    "test_dealt.py::test_sampled_methods_learn_and_are_resumed[public_outcome+history",
    "test_semi_vector.py::test_any_minimiser_average_and_batch_fits[semi_vector(robust)+weighted",
    "test_dealt_walks.py::test_walks_on_float32_tables_learn",
    "test_dealt_walks.py::test_workers_share_float32_tables[external+floor",
    "test_street_values.py::test_methods_learn_what_they_learn_in_dealt_form[turn of two suits",
    "test_street_values.py::test_strategies_are_worth_as_much_as_in_dealt_form[no-limit, one card a street]",
    "test_street_values.py::test_best_responses_are_worth_what_they_say[no-limit",
    "test_resolver.py::test_lines_past_the_gate_are_unbiased[predictive]",
    "test_resolver.py::test_lines_past_the_gate_are_unbiased[history",
    "test_leaf_means.py::test_leaves_that_never_change_are_endings[public_outcome",
    "test_bucket_walks.py::test_equilibria_are_worth_the_same_with_exact_buckets_and_without",
    "test_bucket_walks.py::test_compiled_walks_are_those_of_the_twin[exact, all-ins]",
    "test_race.py::test_words_of_your_own_take_part",
    "test_docstrings.py::test_examples_print_what_they_say[resolving/resolve_street.py]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/holdem.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/resolving.md]",
    "test_docs.py::test_blocks_print_what_the_page_shows[docs/buckets.md]",
    "test_site.py::test_notebooks_print_what_they_show[compare-samplers]",
    "test_site.py::test_notebooks_print_what_they_show[build-a-bot]",
    "test_table_policy.py::test_after_own_moves_they_follow_from_the_solution[unsafe]",
    "test_table_policy.py::test_a_bet_that_was_really_made_is_in_the_tree[maxmargin]",
    "test_board_responses.py::test_every_flop_is_worth_what_its_street_tree_says[two cards, then one]",
    "test_extend.py::test_compiled_is_interpreted_bit_for_bit[coin_sampler.py-coin(p=0.3)+rm_plus+linear",
    "test_web.py::test_dealt_games_play_without_a_walk[dealt:leduc-vector]",
    "test_semi_vector.py::test_compiled_is_interpreted_bit_for_bit[outcome]",
    "test_semi_vector.py::test_it_learns[all",
    "test_street_values.py::test_strategies_are_worth_as_much_as_in_dealt_form[locked by range]",
    "test_street_values.py::test_methods_learn_what_they_learn_in_dealt_form[locked on a river-dcfr]",
    "test_street_gates.py::test_random_strategies_have_the_values_of_the_written_game[turn-maxmargin-2]",
    "test_street_gates.py::test_solutions_have_the_value_of_the_linear_programme[river, the opponent first-maxmargin]",
    "test_compiled_and_interpreted_with_any_number_of_workers[turn of one suit-maxmargin-cfr_plus]",
    "test_street_gates.py::test_at_equilibrium_nobody_gains_by_the_gate[river]",
    "test_li_readings.py::test_all_options_are_compiled_as_written_and_go_on",
    "test_bucket_walks.py::test_batches_are_the_same_for_any_number_of_workers",
    "test_street_forms.py::test_the_tree_of_boards_is_solved_alike[locked by range]",
    "test_papers.py::test_every_figure_writes_its_folder[lin2024-lbr]",
    "test_papers.py::test_every_figure_writes_its_folder[gibson2012-fig3b]",
    "test_public_outcome.py::test_compiled_is_interpreted_bit_for_bit[uniform+rm_plus+linear+infoset]",
    "test_public_outcome.py::test_other_laws_learn_too[epsilon_greedy(by_regret, 0.5)]",
    "end_the_variance_once_everything_was_met[uniform+rm_plus+linear-True]",
    "test_vector_sampling.py::test_compiled_is_interpreted_bit_for_bit[leduc-weighted]",
    "test_vector_sampling.py::test_compiled_is_interpreted_bit_for_bit[leduc-outcome]",
    "test_vector_sampling.py::test_a_run_goes_on_from_its_arrays[<lambda>]",
    "test_bench.py::test_a_committed_line_holds[public_outcome(0.6)",
    "test_bench.py::test_a_committed_line_holds[vector(robust)",
    "test_openspiel_strategies.py::test_openspiel_evaluates_ours_alike[bluff(rounds=one)]",
    "test_page.py::test_probed_branches_are_dotted",
    "test_bucket_walks.py::test_a_learned_strategy_is_worth_the_same_with_exact_buckets_and_without[exact]",
    "test_abstract.py::test_all_ways_to_work_it_out_agree[holdem(limit(cap=1), ehs2(2)",
    "test_audit_dealt.py::test_batches_find_the_enumerated_moments[semi_vector(robust)]",
    "test_resolving_mutants.py::test_examples",
)


LONG_FORMS = {  # forms of kernels that take half a minute to compile, by file; other forms of the same test are quick
    "test_street_gates.py": ("maxmargin", "reach"),
    "test_table_policy.py": ("maxmargin", "reach", "unsafe"),
    "test_resolve_street.py": ("maxmargin", "reach"),
    "test_reading.py": ("locked",),
    "test_street_forms.py": ("locked",),
    "test_street_values.py": ("locked",),
    "test_vector_sampling.py": ("test_named_methods_learn", "leduc"),
}


def _is_long(name: str) -> bool:
    path, _, case = name.partition("::")
    return any(known in name for known in LONG) or any(f in case for f in LONG_FORMS.get(path.rpartition("/")[2], ()))


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(items):
    for item in items:
        if _is_long(item.nodeid):
            item.add_marker(pytest.mark.slow)


settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


@pytest.fixture
def uncompiled(monkeypatch):
    """Walks run interpreted: the same numbers, and nothing to compile."""
    from mccfr.solvers import engines

    plain = engines.run_walks.interpreted

    def run(*arguments):
        with np.errstate(over="ignore"):
            plain(*arguments)

    run.interpreted = plain
    monkeypatch.setattr(engines, "run_walks", run)


def keys(infosets):
    """(player, label) of every infoset, in the order of the tables."""
    return [(infosets.owner(j), label) for j, label in enumerate(infosets.labels)]


def flat(infosets, table: naive.Table):
    """A naive table as one array, in the order of the package's tables."""
    named = {(player, str(infoset)): row for (player, infoset), row in table.items()}
    assert named.keys() == set(keys(infosets))
    return np.array([float(x) for key in keys(infosets) for x in named[key]])


def unflat(infosets, values) -> naive.Table:
    """An array of the package as a naive table; the game's infosets must be strings."""
    rows = np.split(np.asarray(values), infosets.row[1:-1])
    return {key: row.tolist() for key, row in zip(keys(infosets), rows)}
