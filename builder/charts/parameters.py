"""Every parameter of the charts: their names, what they are bound to, how a state is looked up."""

from typing import Any

import altair as alt

from builder.figures import words
from builder.grid import Grid

GRID = "grid"
ROW = "row"
STATE_ROW = "state_row"
NAMES = {"prompt": "Prompt ", "output": "Output ", "batch": "Batch "}


def page_inputs(grid: Grid) -> list[alt.Parameter]:
    """The axes as parameters bound to the page's own range inputs, which hold the index of the stop."""
    return [
        alt.param(
            name=axis.name,
            value=axis.stops.index(axis.start),
            bind=alt.BindDirect(element=f"#{axis.name}", event="input"),
        )
        for axis in grid.axes
    ]


def own_inputs(grid: Grid) -> list[alt.Parameter]:
    """The axes as parameters with inputs of their own, which name the stops and hold their index."""
    return [
        alt.param(
            name=axis.name,
            value=axis.stops.index(axis.start),
            bind=alt.BindRadioSelect(
                input="select",
                options=list(range(len(axis.stops))),
                labels=[words(axis.name, stop) for stop in axis.stops],
                name=NAMES[axis.name],
            ),
        )
        for axis in grid.axes
    ]


def fixed_inputs(grid: Grid) -> list[alt.Parameter]:
    """The axes as parameters without inputs, which hold the index of the stop."""
    return [alt.param(name=axis.name, value=axis.stops.index(axis.start)) for axis in grid.axes]


def state_row(grid: Grid) -> alt.Parameter:
    """The row of the grid that the parameters point at."""
    return alt.param(name=STATE_ROW, expr=row_expression(grid))


def row_expression(grid: Grid, **at: str) -> str:
    """The row of the state at the parameters, or at another expression for the index of an axis.

    A bound input hands its value over as text, hence `toNumber`.
    """
    expression = "0"
    for axis in grid.axes:
        index = at.get(axis.name, f"toNumber({axis.name})")
        expression = f"({expression}) * {len(axis.stops)} + {index}"
    return expression


def looked_up(chart: Any, row: str, fields: tuple[str, ...]) -> Any:
    """`chart` with the named columns of the grid's row that an expression gives, for each of its data."""
    return chart.transform_calculate(**{ROW: row}).transform_lookup(
        lookup=ROW,
        from_=alt.LookupData(data=alt.NamedData(name=GRID), key=ROW, fields=list(fields)),
    )


# The data of what is drawn once.
ONE = alt.InlineData(values=[{}])


def pixels(place: str | float) -> Any:
    """A position inside the plot, in pixels, as an encoding: an expression or a number."""
    value = {"expr": place} if isinstance(place, str) else place
    # What `alt.value` gives means the same; Altair looks through its whole schema for the class of each.
    return alt.PositionValueDef(value=value)


def box(x: str | float, x2: str | float, y: str | float, y2: str | float) -> dict[str, Any]:
    """The two corners of a box inside the plot, in pixels, as encodings."""
    return {"x": pixels(x), "x2": pixels(x2), "y": pixels(y), "y2": pixels(y2)}
