"""Methods that are biased, kept to show that the audit tells."""

EXHIBITS = (
    "external+optimistic",  # an average that is biased by design [Lanctot 2013, 4.4]
    "external+page_rule",  # the opponent's reach counted twice
)
