"""Where each phase sits on the roofline: two live points, the presets, and the roof above them."""

from typing import Any

import altair as alt

from builder import units
from builder.charts import axes
from builder.charts.labels import NARROW, label_places, live_labels
from builder.charts.parameters import ONE, STATE_ROW, box, looked_up, pixels, row_expression
from builder.charts.theme import FONT_SIZE, Theme
from builder.figures import words
from builder.grid import Grid
from builder.roofline import Machine

POINT_FIELDS = ("prefill_flop_per_byte", "prefill_flop_per_s", "decode_flop_per_byte", "decode_flop_per_s")
TEXT_FIELDS = (
    *("prompt", "prefill_intensity", "prefill_of_peak", "prefill_bound"),
    *("batch", "decode_intensity", "decode_of_peak", "fits", "shortfall"),
)
FIELDS = POINT_FIELDS + TEXT_FIELDS
PADDING = {"left": 54, "right": 14, "top": 44, "bottom": 48}
# Where the name of the rates ends, which begins at the chart's left edge.
RATES_END = -6
# From the ridge to the names of its sides.
ASIDE = 6

# A live point: its area in square pixels, and what it is where the state does not fit.
POINT_SIZE = 190
CROSS = "M-1,-0.62L-0.62,-1L0,-0.38L0.62,-1L1,-0.62L0.38,0L1,0.62L0.62,1L0,0.38L-0.62,1L-1,0.62L-0.38,0Z"


def roofline_chart(grid: Grid, theme: Theme, room: float = 0) -> Any:
    """The roofline of the grid's scenario as a layered chart without data, size or parameters.

    Args:
        grid: the states.
        theme: the look.
        room: the share of the plot's height that stays free above the roof and below the lowest state; 0 for
            what round axes leave.
    """
    machine = grid.scenario.hardware.machine
    x_axis, y_axis, ticks = _axes(grid, room)
    x = alt.X(
        "flop_per_byte:Q",
        scale=alt.Scale(type="log", domain=[x_axis.low, x_axis.high], nice=False),
        axis=_axis(x_axis, "", title=None),
    )
    y = alt.Y(
        "flop_per_s:Q",
        scale=alt.Scale(type="log", domain=[y_axis.low, y_axis.high], nice=False),
        axis=_axis(ticks, "F", title=None),
    )
    return alt.layer(
        *_roof(machine.peak_flop_per_s, machine.bandwidth_bytes_per_s, x_axis, x, y, theme),
        *_names(grid, theme),
        _presets(grid, "prefill", "prompt", theme),
        _presets(grid, "decode", "batch", theme),
        _live(machine, x_axis, y_axis, theme, low=bool(room)),
    )


def _axes(grid: Grid, room: float) -> tuple[axes.LogAxis, axes.LogAxis, axes.LogAxis]:
    """Both axes, and how far the ticks of the second one go: no rate lies in its room."""
    numbers = {name: grid.numbers[name].values for name in POINT_FIELDS}
    intensities = numbers["prefill_flop_per_byte"] + numbers["decode_flop_per_byte"]
    machine = grid.scenario.hardware.machine
    lowest = min(numbers["prefill_flop_per_s"] + numbers["decode_flop_per_s"])
    # The ridge belongs on the picture even where no state comes near it.
    x_axis = axes.intensity_axis((*intensities, machine.ridge_point))
    y_axis = axes.rate_axis(lowest, machine.peak_flop_per_s)
    roomy = axes.roomy_axis(lowest, machine.peak_flop_per_s, room) if room else y_axis
    return x_axis, roomy, y_axis


def _axis(axis: axes.LogAxis, unit: str, **more: Any) -> alt.Axis:
    labels = ", ".join(f"'{value}': '{label}'" for value, label in axes.tick_labels(axis, unit=unit).items())
    return alt.Axis(values=axis.decades, labelExpr=f"{{{labels}}}[datum.value]", labelSeparation=6, **more)


def _roof(peak: float, bandwidth: float, x_axis: axes.LogAxis, x: alt.X, y: alt.Y, theme: Theme) -> list[Any]:
    """The roof itself, the ridge down to the axis, and the peak back to the axis."""
    ridge = peak / bandwidth
    corners = [(x_axis.low, x_axis.low * bandwidth), (ridge, peak), (x_axis.high, peak)]
    values = alt.InlineData(values=[{"flop_per_byte": x, "flop_per_s": y} for x, y in corners])
    roof = alt.Chart(values).mark_line(stroke=theme.ink, strokeWidth=1.75).encode(x, y)
    dashes: dict[str, Any] = {"stroke": theme.muted, "strokeDash": [2, 3], "strokeWidth": 1}
    at, height = f"scale('x', {ridge})", f"scale('y', {peak})"

    def dashed(x: str | float, x2: str, y: str | float, y2: str) -> Any:
        return alt.Chart(ONE).mark_rule(**dashes).encode(**box(x, x2, y, y2))

    return [dashed(at, at, 0, "height"), dashed(0, at, height, height), roof]


def _names(grid: Grid, theme: Theme) -> list[Any]:
    """The ridge and its sides above the plot, the peak beside the axis, and what the axes measure."""
    machine = grid.scenario.hardware.machine
    ridge, peak = machine.ridge_point, machine.peak_flop_per_s
    at = f"scale('x', {ridge})"
    muted: dict[str, Any] = {"fill": theme.muted}

    def name(text: Any, x: str | float, y: str | float, **mark: Any) -> Any:
        return alt.Chart(ONE).mark_text(text=text, **mark).encode(x=pixels(x), y=pixels(y))

    heading, unit = f"ridge {units.intensity(ridge)}", "FLOP per byte of HBM traffic"
    character = theme.bold_character * FONT_SIZE
    reach = character * len(heading) / 2
    # Over the ridge, but off the name of the rates and inside the chart.
    over = f"clamp({at}, {reach + RATES_END}, width + {PADDING['right'] - reach})"
    memory = _side(f"{at} + {PADDING['left']}", "memory", "\N{LEFTWARDS ARROW} memory bound", character)
    compute = _side(
        f"width - {at} + {PADDING['right']}", "compute", "compute bound \N{RIGHTWARDS ARROW}", character
    )
    return [
        name(heading, over, -31),
        name(memory, f"{at} - {ASIDE}", -15, align="right", **muted),
        name(compute, f"{at} + {ASIDE}", -15, align="left", **muted),
        _peak_name(peak),
        name(_shorter(f"'{unit}'", f"'arithmetic intensity, {unit}'"), "width / 2", "height + 36", **muted),
        name("FLOP/s", -PADDING["left"], -31, align="left", **muted),
    ]


def _side(room: str, short: str, long: str, character: float) -> dict[str, str]:
    """The name of one side of the ridge: as much of it as there is room for."""

    def needs(text: str) -> str:
        return f"{character * len(text) + ASIDE:.1f}"

    return {"expr": f"{room} < {needs(short)} ? '' : {room} < {needs(long)} ? '{short}' : '{long}'"}


def _shorter(narrow: str, wide: str) -> dict[str, str]:
    """One value on a narrow plot and another where there is room, both as expressions."""
    return {"expr": f"width < {NARROW} ? {narrow} : {wide}"}


def _peak_name(peak: float) -> Any:
    """At the axis, above the leader; on a narrow plot, where the prefill label needs that place, right."""
    chart = alt.Chart(ONE).mark_text(
        text=_shorter(f"'{units.flop_rate(peak)}'", f"'{units.flop_rate(peak)} peak'"),
        align=_shorter("'right'", "'left'"),
    )
    place = f"scale('y', {peak}) + (width < {NARROW} ? 14 : -12)"
    return chart.encode(x=alt.value(_shorter("width", "2")), y=pixels(place))


def _presets(grid: Grid, phase: str, axis_name: str, theme: Theme) -> Any:
    """The presets of one control as hollow points, each at the other controls' present values."""
    axis = next(axis for axis in grid.axes if axis.name == axis_name)
    stops = alt.InlineData(
        values=[{"stop": axis.stops.index(stop), "said": words(axis_name, stop)} for stop in axis.presets]
    )
    fields = (f"{phase}_flop_per_byte", f"{phase}_flop_per_s")
    hollow = (
        alt.Chart(stops, name=f"{axis_name}_presets")
        .mark_point(
            size=64,
            filled=True,
            fill=theme.paper,
            stroke=theme.phase(phase),
            strokeWidth=1.5,
            opacity=1,
            tooltip={"expr": "datum.said"},
        )
        # Fields would be checked at each move for being numbers, and the words for being a list.
        .encode(x=pixels(f"scale('x', datum.{fields[0]})"), y=pixels(f"scale('y', datum.{fields[1]})"))
    )
    # A control that its figures do not depend on must not have the point drawn anew.
    idle = (axis for axis in grid.axes if axis.name not in grid.numbers[fields[0]].axes)
    at = {axis.name: str(axis.stops.index(axis.start)) for axis in idle} | {axis_name: "datum.stop"}
    return looked_up(hollow, row_expression(grid, **at), fields)


def _live(machine: Machine, x_axis: axes.LogAxis, y_axis: axes.LogAxis, theme: Theme, *, low: bool) -> Any:
    """Both live points of the state, their labels and what gives way to these, from one looked-up record."""
    layers: list[Any] = [
        _bandwidth_name(machine.bandwidth_bytes_per_s, x_axis, y_axis),
        _point("prefill", theme),
        ground(theme).encode(x=pixels("datum.decode_x"), y=pixels("datum.decode_y")),
        _point("decode", theme),
        *live_labels(theme),
    ]
    record = looked_up(alt.layer(*layers, data=ONE), STATE_ROW, FIELDS)
    peak, steepness = machine.peak_flop_per_s, x_axis.length / y_axis.length
    places = label_places(peak, steepness, theme, low=low)
    return record.transform_calculate(**places, along=_along(machine, x_axis))


def _along(machine: Machine, x_axis: axes.LogAxis) -> str:
    """The intensity at which the bandwidth's name stands: low on the slope, or high where a label is low."""

    def at(share: float) -> float:
        return x_axis.low * (machine.ridge_point / x_axis.low) ** share

    is_low = f"datum.prefill_base > scale('y', {at(0.45) * machine.bandwidth_bytes_per_s})"
    return f"{is_low} ? {at(0.85)} : {at(0.27)}"


def _bandwidth_name(bandwidth: float, x_axis: axes.LogAxis, y_axis: axes.LogAxis) -> Any:
    """Along the slope, on it."""
    slope = f"-atan2(height / {y_axis.length}, width / {x_axis.length}) * 180 / PI"
    mark = alt.Chart().mark_text(text=units.byte_rate(bandwidth), angle={"expr": slope}, dy=-12)
    return mark.encode(
        x=pixels("scale('x', datum.along)"), y=pixels(f"scale('y', datum.along * {bandwidth})")
    )


def ground(theme: Theme) -> Any:
    """Paper beneath a point that may be a cross: a hollow point would show between its arms."""
    return alt.Chart(name="ground").mark_point(size=POINT_SIZE, filled=True, fill=theme.paper, opacity=1)


def _point(phase: str, theme: Theme) -> Any:
    """A live point; the decode point is a cross where the state does not fit."""
    mark: dict[str, Any] = {"filled": True, "opacity": 1, "fill": theme.phase(phase), "stroke": theme.paper}
    shape: Any = {"expr": f"datum.fits === 'fits' ? 'circle' : '{CROSS}'"} if phase == "decode" else "circle"
    return (
        alt.Chart(name=f"{phase}_point")
        .mark_point(size=POINT_SIZE, strokeWidth=1.5, shape=shape, **mark)
        .encode(x=pixels(f"datum.{phase}_x"), y=pixels(f"datum.{phase}_y"))
    )
