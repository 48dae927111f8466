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
)


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(items):
    for item in items:
        if any(name in item.nodeid for name in LONG):
            item.add_marker(pytest.mark.slow)


settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


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
