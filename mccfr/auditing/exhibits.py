"""Methods that are biased, kept to show that the audit tells."""

EXHIBITS = (
    "external+optimistic",  # an average that is biased by design [Lanctot 2013, 4.4]
    "external+page_rule",  # the opponent's reach counted twice
)
DEALT_EXHIBITS = tuple(  # laws of [Li et al. 2020] that miss what matters
    f"{sampling}, exhibit=True)"
    for sampling in (
        "vector(own=robust, other=rcs(False)",  # weighed with the drawn infoset's own probability, as the paper reads
        "vector(own=robust, other=mas",
        "vector(own=robust, other=was(own)",
        "vector(own=robust, other=was(other)",
        "vector(own=robust, other=was(both)",
        "vector(own=robust, other=wcs(other)",
        "vector(own=robust, other=wcs(both)",
        "vector(own=robust, other=by_regret",
        "vector(own=mcs",
        "semi_vector(own=mcs",
        "public_outcome(law=mcs",
    )
)
