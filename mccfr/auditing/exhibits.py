"""Methods that are biased, kept to show that the audit tells."""

from mccfr.kernel.public_samplers import MAS, MCS, RCS, WAS, WCS, Sampling
from mccfr.kernel.samplers import Robust, Uniform

EXHIBITS = (
    "external+optimistic",  # an average that is biased by design [Lanctot 2013, 4.4]
    "external+page_rule",  # the opponent's reach counted twice
)
DEALT_EXHIBITS = {  # [Li et al. 2020] without exploration
    "RCS, drawn weight": Sampling(Robust(1), RCS(marginal=False), Uniform()),
    "MAS, unexplored": Sampling(Robust(1), MAS(), Uniform()),
    "WAS(own), unexplored": Sampling(Robust(1), WAS(), Uniform()),
    "WAS(other), unexplored": Sampling(Robust(1), WAS(False, True), Uniform()),
    "WAS(both), unexplored": Sampling(Robust(1), WAS(True, True), Uniform()),
    "WCS(other), unexplored": Sampling(Robust(1), WCS(False, True), Uniform()),
    "WCS(both), unexplored": Sampling(Robust(1), WCS(True, True), Uniform()),
    "own MCS, unexplored": Sampling(MCS(), MCS(), Uniform()),  # of own actions
}
