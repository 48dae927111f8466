"""All figures by name."""

from mccfr.errors import MethodError
from mccfr.papers import (
    davis_ablation,
    davis_beyond,
    davis_leduc,
    davis_public,
    davis_rates,
    davis_sizes,
    davis_theorem3,
    davis_time,
    davis_variance,
    gibson_bound,
    gibson_probing,
    gibson_variance,
    kuhn_page,
    kuhn_page_race,
    li_exploration,
    li_hybrid,
    li_ranges,
)
from mccfr.papers.figure import Figure

FIGURES = {
    figure.name: figure
    for figure in (
        gibson_variance.FIGURE,
        gibson_probing.FIGURE_3A,
        gibson_probing.FIGURE_3B,
        gibson_bound.FIGURE,
        davis_sizes.FIGURE,
        davis_leduc.FIGURE_1A,
        davis_leduc.FIGURE_1B,
        davis_leduc.FIGURE_1C,
        davis_public.FIGURE_2,
        davis_variance.FIGURE,
        davis_public.FIGURE_4A,
        davis_public.FIGURE_4B,
        davis_theorem3.FIGURE,
        davis_time.FIGURE,
        davis_rates.FIGURE,
        davis_ablation.FIGURE,
        davis_beyond.FIGURE,
        li_exploration.FIGURE,
        li_ranges.FIGURE,
        li_hybrid.FIGURE,
        kuhn_page.FIGURE,
        kuhn_page_race.FIGURE,
    )
}


def find_figure(name: str) -> Figure:
    """The figure of this name."""
    if name not in FIGURES:
        raise MethodError(f"no figure {name!r}; known: {', '.join(FIGURES)}")
    return FIGURES[name]
