"""Everything that vl-convert does for us: Vega-Lite to Vega, Vega to SVG, and Vega's runtime for the page."""

import functools
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import vl_convert

from builder.errors import RuntimeBundleError

VEGA_LITE = "6.4"

# vl-convert carries Vega's own modules under these paths, which it does not document. The page needs the
# parser, the interpreter (so that no text is ever run as code) and the transforms; not Vega-Lite, nor maps,
# layouts or time zones.
MODULES = {
    "view": "/npm/vega-view@6.1.0/+esm",
    "parser": "/npm/vega-parser@7.1.0/+esm",
    "dataflow": "/npm/vega-dataflow@6.1.0/+esm",
    "scenegraph": "/npm/vega-scenegraph@5.1.0/+esm",
    "interpreter": "/npm/vega-interpreter@2.0.0/+esm",
    "encode": "/npm/vega-encode@5.1.0/+esm",
    "view_transforms": "/npm/vega-view-transforms@5.1.0/+esm",
    "transforms": "/npm/vega-transforms@5.1.0/+esm",
}

_SNIPPET = """
import {{View}} from "{view}";
import {{parse}} from "{parser}";
import {{transforms}} from "{dataflow}";
import {{textMetrics}} from "{scenegraph}";
import {{expressionInterpreter}} from "{interpreter}";
import * as encode from "{encode}";
import * as viewTransforms from "{view_transforms}";
import * as dataTransforms from "{transforms}";
Object.assign(transforms, encode, viewTransforms, dataTransforms);
globalThis.vegaRuntime = {{View, parse, expressionInterpreter, textMetrics}};
"""

# But for dashes: what is rounded off one of them adds up along the line.
_ATTRIBUTE = re.compile(r'(?<!dasharray)="[^"]*"')
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")

# Any two of these make a width or a height together: Vega needs both at once.
_EXTENTS = ({"x", "x2", "xc", "width"}, {"y", "y2", "yc", "height"})


def compiled(spec: dict[str, Any]) -> dict[str, Any]:
    """The Vega spec of a Vega-Lite spec."""
    vega = vl_convert.vegalite_to_vega(spec, vl_version=VEGA_LITE)
    for mark in vega["marks"]:
        _encode_once(mark)
    return vega


def _encode_once(mark: dict[str, Any]) -> None:
    """Lets a mark take what never changes when it is made: else each move of a control sets it all again."""
    update = mark["encode"]["update"]
    sides = {name for extent in _EXTENTS if len(extent & set(update)) > 1 for name in extent}
    constant = [name for name, channel in update.items() if set(channel) == {"value"} and name not in sides]
    mark["encode"]["enter"] = {name: update.pop(name) for name in constant}


def svg(spec: dict[str, Any], size: tuple[int, int], datasets: Mapping[str, list[dict[str, Any]]]) -> str:
    """The drawing of a Vega spec at the values of its parameters, to a hundredth of a pixel.

    Args:
        spec: what `compiled` returns.
        size: width and height of the plot, in pixels.
        datasets: rows for the data sets that the spec only names.
    """
    return tidied(drawn(spec | {"width": size[0], "height": size[1]}, {}, datasets))


def drawn(
    spec: dict[str, Any], values: Mapping[str, Any], datasets: Mapping[str, list[dict[str, Any]]]
) -> str:
    """The drawing of a Vega spec, as Vega writes it.

    Args:
        spec: what `compiled` returns.
        values: for the parameters that are not at their own. Compiling takes five times as long as drawing:
            one spec does for all states.
        datasets: rows for the data sets that the spec only names.
    """
    signals = [
        signal | {"value": values[signal["name"]]} if signal["name"] in values else signal
        for signal in spec["signals"]
    ]
    data = [
        entry | {"values": datasets[entry["name"]]} if entry["name"] in datasets else entry
        for entry in spec["data"]
    ]
    return vl_convert.vega_to_svg(spec | {"signals": signals, "data": data})


def tidied(drawing: str) -> str:
    """A drawing to a hundredth of a pixel."""
    # Thirteen decimals make it half as heavy again; what stands between tags is text, and stays.
    return _ATTRIBUTE.sub(lambda attribute: _LONG.sub(_rounded, attribute[0]), drawing)


def png(spec: dict[str, Any], scale: float) -> bytes:
    """The picture of a Vega-Lite spec, `scale` pixels to each of its own."""
    return vl_convert.vegalite_to_png(spec, vl_version=VEGA_LITE, scale=scale)


def svg_png(drawing: str, scale: float, ppi: float) -> bytes:
    """An SVG as PNG, `scale` x `ppi` / 72 pixels to each of its own; the file says `ppi`."""
    return vl_convert.svg_to_png(drawing, scale=scale, ppi=ppi)


def svg_pdf(drawing: str) -> bytes:
    """An SVG as a page of its own size, its text in the fonts that were registered."""
    return vl_convert.svg_to_pdf(drawing)


def use_fonts(folder: Path) -> None:
    """Lets drawings be set in the fonts of a folder."""
    vl_convert.register_font_directory(str(folder))


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 2):g}"


@functools.cache
def runtime() -> str:
    """A script that sets `vegaRuntime` to Vega's View, parse, expressionInterpreter and textMetrics.

    Raises:
        RuntimeBundleError: the installed vl-convert does not carry one of the modules.
    """
    try:
        bundle = vl_convert.javascript_bundle(_SNIPPET.format(**MODULES), vl_version=VEGA_LITE)
    # A path that is gone makes the Rust below panic, which Python sees as a bare BaseException.
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        version = metadata.version("vl-convert-python")
        raise RuntimeBundleError(
            f"vl-convert {version} does not carry Vega as the page needs it ({error}); "
            "install the pinned version, or mend the paths of MODULES in builder/vega.py"
        ) from None
    # The bundle declares some hundred short names, which would otherwise be the page's globals.
    return f"(() => {{{bundle}}})();"
