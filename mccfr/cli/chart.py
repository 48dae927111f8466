"""A log-log chart for the terminal."""

import math
from collections.abc import Mapping, Sequence

Points = Sequence[tuple[float, float]]


def log_log_chart(curves: Mapping[str, Points], width: int = 64, lines_per_decade: int = 2) -> str:
    """Curves by the character that draws them, decades on both axes; later curves are drawn over earlier ones."""
    points = [(math.log10(x), math.log10(y)) for curve in curves.values() for x, y in curve]
    left, right = math.floor(min(x for x, _ in points)), math.ceil(max(x for x, _ in points))
    bottom, top = math.floor(min(y for _, y in points)), math.ceil(max(y for _, y in points))
    height = lines_per_decade * max(top - bottom, 1) + 1
    grid = [[" "] * width for _ in range(height)]
    for mark, curve in curves.items():
        for x, y in curve:
            column = round((math.log10(x) - left) / max(right - left, 1) * (width - 1))
            line = round((top - math.log10(y)) / max(top - bottom, 1) * (height - 1))
            grid[line][column] = mark
    ticks = {lines_per_decade * (top - power): f"1e{power}" for power in range(bottom, top + 1)}
    lines = [f"{ticks.get(j, ''):>6} {'┤' if j in ticks else '│'}{''.join(row)}".rstrip() for j, row in enumerate(grid)]
    axis, names = ["─"] * width, [" "] * (width + 8)
    for power in range(left, right + 1):
        column = round((power - left) / max(right - left, 1) * (width - 1))
        axis[column] = "┬"
        label = f"{10**power:,}" if power >= 0 else f"1e{power}"
        start = min(column - len(label) // 2 + 1, len(names) - len(label)) if column else 1
        names[start : start + len(label)] = label
    return "\n".join([*lines, f"{'':>6} └{''.join(axis)}", f"{'':>6} {''.join(names).rstrip()}"])
