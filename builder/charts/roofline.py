"""Where each phase sits on the roofline: two live points, the presets, and the roof above them."""

from typing import Any

import altair as alt

from builder import units
from builder.charts import axes
from builder.charts.labels import NARROW, live_labels
from builder.charts.parameters import STATE_ROW, looked_up, pixels, row_expression
from builder.charts.theme import Theme
from builder.grid import Grid

POINT_FIELDS = ("prefill_flop_per_byte", "prefill_flop_per_s", "decode_flop_per_byte", "decode_flop_per_s")
TEXT_FIELDS = (
    *("prompt", "prefill_intensity", "prefill_of_peak", "prefill_bound"),
    *("batch", "decode_intensity", "decode_of_peak", "fits", "shortfall"),
)
FIELDS = POINT_FIELDS + TEXT_FIELDS
# On a plot narrower than this, on a screen of 340 pixels, the sides of the ridge have room for a word each.
NARROWEST = 240
PADDING = {"left": 54, "right": 14, "top": 44, "bottom": 48}

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
        *_names(grid, x_axis, y_axis, theme),
        _presets(grid, "prefill", "prompt", theme),
        _presets(grid, "decode", "batch", theme),
        _live(machine.peak_flop_per_s, theme, low=bool(room)),
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
    return alt.Axis(values=axis.decades, labelExpr=f"{{{labels}}}[datum.value]", **more)


def _roof(peak: float, bandwidth: float, x_axis: axes.LogAxis, x: alt.X, y: alt.Y, theme: Theme) -> list[Any]:
    """The roof itself, the ridge down to the axis, and the peak back to the axis."""
    ridge = peak / bandwidth
    corners = [(x_axis.low, x_axis.low * bandwidth), (ridge, peak), (x_axis.high, peak)]
    roof = alt.Chart(_values(corners)).mark_line(stroke=theme.ink, strokeWidth=1.75).encode(x, y)
    dashes: dict[str, Any] = {"stroke": theme.muted, "strokeDash": [2, 3], "strokeWidth": 1}
    return [
        alt.Chart(_values([(ridge, peak)])).mark_rule(**dashes).encode(x=x),
        alt.Chart(_values([(x_axis.low, peak)])).mark_rule(**dashes).encode(x, y, x2=alt.datum(ridge)),
        roof,
    ]


def _values(points: list[tuple[float, float]]) -> alt.InlineData:
    return alt.InlineData(values=[{"flop_per_byte": x, "flop_per_s": y} for x, y in points])


def _names(grid: Grid, x_axis: axes.LogAxis, y_axis: axes.LogAxis, theme: Theme) -> list[Any]:
    """The sides of the ridge above the plot, the peak beside the axis, the bandwidth along the slope."""
    machine = grid.scenario.hardware.machine
    ridge, peak = machine.ridge_point, machine.peak_flop_per_s
    slope = f"-atan2(height / {y_axis.length}, width / {x_axis.length}) * 180 / PI"
    along = x_axis.low * 10 ** (x_axis.length * 0.13)
    muted: dict[str, Any] = {"fill": theme.muted}

    def name(text: Any, at: float, rate: float, **mark: Any) -> Any:
        return (
            alt.Chart(_values([(at, rate)]))
            .mark_text(text=text, **mark)
            .encode(x="flop_per_byte:Q", y="flop_per_s:Q")
        )

    def header(text: Any, y: int, **mark: Any) -> Any:
        chart = alt.Chart(_values([(ridge, peak)])).mark_text(text=text, baseline="middle", **mark)
        return chart.encode(x=alt.X("flop_per_byte:Q"), y=pixels(str(y)))

    unit = "FLOP per byte of HBM traffic"
    title = alt.Chart(_values([(ridge, peak)])).mark_text(
        text=_shorter(f"'{unit}'", f"'arithmetic intensity, {unit}'"), baseline="middle", **muted
    )
    title_of_rates = alt.Chart(_values([(ridge, peak)])).mark_text(
        text="FLOP/s", align="left", baseline="middle", **muted
    )
    bandwidth_text = units.byte_rate(machine.bandwidth_bytes_per_s)
    return [
        header(f"ridge {units.intensity(ridge)}", -30),
        header(_side("'\N{LEFTWARDS ARROW} memory' + {}"), -12, dx=-9, align="right", **muted),
        header(_side("'compute' + {} + ' \N{RIGHTWARDS ARROW}'"), -12, dx=9, align="left", **muted),
        _peak_name(peak, theme),
        title.encode(x=pixels("width / 2"), y=pixels("height + 36")),
        title_of_rates.encode(x=pixels(str(-PADDING["left"])), y=pixels("-12")),
        name(bandwidth_text, along, along * machine.bandwidth_bytes_per_s, angle={"expr": slope}, dy=-10),
    ]


def _side(text: str) -> dict[str, str]:
    """The name of one side of the ridge; on the narrowest plots it goes without its second word."""
    return {"expr": text.format(f"(width < {NARROWEST} ? '' : ' bound')")}


def _shorter(narrow: str, wide: str) -> dict[str, str]:
    """One value on a narrow plot and another where there is room, both as expressions."""
    return {"expr": f"width < {NARROW} ? {narrow} : {wide}"}


def _peak_name(peak: float, theme: Theme) -> Any:
    """At the axis, above the leader; on a narrow plot, where the prefill label needs that place, right."""
    chart = alt.Chart(_values([(peak, peak)])).mark_text(
        text=_shorter(f"'{units.flop_rate(peak)}'", f"'{units.flop_rate(peak)} peak'"),
        align=_shorter("'right'", "'left'"),
        baseline="middle",
        fill=theme.ink,
    )
    place = f"scale('y', datum.flop_per_s) + (width < {NARROW} ? 14 : -12)"
    return chart.encode(x=alt.value(_shorter("width", "2")), y=pixels(place))


def _presets(grid: Grid, phase: str, axis_name: str, theme: Theme) -> Any:
    """The presets of one control as hollow points, each at the other controls' present values."""
    axis = next(axis for axis in grid.axes if axis.name == axis_name)
    stops = alt.InlineData(values=[{"stop": axis.stops.index(preset)} for preset in axis.presets])
    fields = (f"{phase}_flop_per_byte", f"{phase}_flop_per_s", axis_name)
    hollow = (
        alt.Chart(stops, name=f"{axis_name}_presets")
        .mark_point(
            size=64, filled=True, fill=theme.paper, stroke=theme.phase(phase), strokeWidth=1.5, opacity=1
        )
        .encode(
            x=alt.X(f"{phase}_flop_per_byte:Q"),
            y=alt.Y(f"{phase}_flop_per_s:Q"),
            tooltip=alt.Tooltip(f"{axis_name}:N"),
        )
    )
    return looked_up(hollow, row_expression(grid, **{axis_name: "datum.stop"}), fields)


def _live(peak: float, theme: Theme, *, low: bool) -> Any:
    """Both live points of the state and their labels, from one looked-up record."""
    layers: list[Any] = [
        _point("prefill", theme),
        _point("decode", theme),
        *live_labels(peak, theme, low=low),
    ]
    return looked_up(alt.layer(*layers, data=alt.InlineData(values=[{}])), STATE_ROW, FIELDS)


def _point(phase: str, theme: Theme) -> Any:
    """A live point; the decode point is a cross where the state does not fit."""
    mark: dict[str, Any] = {"filled": True, "opacity": 1, "fill": theme.phase(phase), "stroke": theme.paper}
    shape: Any = {"expr": f"datum.fits === 'fits' ? 'circle' : '{CROSS}'"} if phase == "decode" else "circle"
    return (
        alt.Chart(name=f"{phase}_point")
        .mark_point(size=190, strokeWidth=1.5, shape=shape, **mark)
        .encode(x=alt.X(f"{phase}_flop_per_byte:Q"), y=alt.Y(f"{phase}_flop_per_s:Q"))
    )
