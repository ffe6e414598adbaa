"""A theme on a background of the reader's choice, with the contrast that text needs there."""

from dataclasses import replace

from builder.charts.theme import Theme

# WCAG 2.2, success criterion 1.4.3: text up to 24 px.
LEAST_CONTRAST = 4.5
# How much of a hairline's colour is ink; the rest is what it lies on.
HAIRLINE = 0.16


def on_background(theme: Theme, background: str, font: str) -> Theme:
    """The theme with that paper, as #rrggbb, hairlines that show on it, and a font."""
    return replace(theme, paper=background, rule=_mixed(theme.ink, background, HAIRLINE), font=font)


def least_contrast(theme: Theme, background: str) -> float:
    """The lowest contrast that any text of the theme has on a background, from 1 to 21."""
    inks = (theme.ink, theme.muted, theme.prefill, theme.decode)
    return min(contrast(ink, background) for ink in inks)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2 between two colours written as #rrggbb.

    >>> round(contrast("#000000", "#ffffff"), 2)
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour."""
    parts = [part / 255 for part in _parts(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _mixed(one: str, other: str, share: float) -> str:
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
