"""How an exported chart looks: theme, background, size, pixels. What could not be read is refused."""

import re
from dataclasses import dataclass

from builder.charts import DARK, LEAST_CONTRAST, LIGHT, SLIDES, Theme, contrast, least_contrast, on_background
from builder.errors import RequestError
from builder.typeface import STACK

THEMES = {"light": LIGHT, "dark": DARK}
COLOURS = {"white": "#ffffff", "black": "#000000"}
TRANSPARENT = "transparent"
# What a theme's pictures lie on unless told, and what is behind a transparent one at best.
GROUNDS = {"light": "white", "dark": "black"}

# Pixels at scale 1. A slide is 1,920 of them wide or 1,080 high, which is 13.33 or 7.5 inches.
SIZES = {"16:9": (1920, 1080), "4:3": (1440, 1080), "square": (1080, 1080)}
LARGEST = 1920
PIXELS_PER_INCH = 144
# A drawing's own pixel is so many of these: its type of 12 pixels is 18 pt on the slide.
ZOOM = 3
SMALLEST_SCALE, LARGEST_SCALE = 0.1, 4


@dataclass(frozen=True)
class Look:
    """A look that can be read.

    Attributes:
        name: of the theme, "light" or "dark".
        background: #rrggbb, or "transparent".
        size: width and height in pixels at scale 1.
        scale: how many pixels for each of those; the placed size stays the same.
    """

    name: str
    background: str
    size: tuple[int, int]
    scale: float

    @property
    def theme(self) -> Theme:
        """The theme on its background."""
        ground = COLOURS[GROUNDS[self.name]] if self.background == TRANSPARENT else self.background
        return on_background(THEMES[self.name], ground, STACK)

    @property
    def suffix(self) -> str:
        """What tells its files from those of other looks; what is as usual is not said."""
        parts = [self.name]
        if self.background != COLOURS[GROUNDS[self.name]]:
            parts.append(f"on-{self.background.removeprefix('#')}")
        if self.size != SIZES["16:9"]:
            named = {size: name.replace(":", "x") for name, size in SIZES.items()}
            parts.append(named.get(self.size, "{}x{}".format(*self.size)))
        if self.scale != 1:
            parts.append(f"at-{self.scale:g}x")
        return "-".join(parts)


def choose_look(theme: str, background: str, size: str, scale: float) -> Look:
    """A look from what its user typed; an empty theme or background goes with the other.

    Raises:
        RequestError: it is no look, or nobody could read it.
    """
    ground = _colour(background or GROUNDS.get(theme, "white"))
    return Look(_theme(theme, background, ground), ground, _size(size), _scale(scale))


def check_room(name: str, look: Look) -> None:
    """Stops where a chart has no room.

    Raises:
        RequestError: the size is below the chart's least.
    """
    least = SLIDES[name].smallest
    if look.size[0] < least[0] or look.size[1] < least[1]:
        rule = "is too small for {}, which needs at least {}x{} of a slide {} wide"
        way = _fewer_pixels(look.size, least)
        raise RequestError("--size {}x{}: ".format(*look.size) + rule.format(name, *least, LARGEST) + way)


def _fewer_pixels(size: tuple[int, int], least: tuple[int, int]) -> str:
    """What to write for so many pixels, where a slide's own size has their ratio and the room."""
    for name, (width, height) in SIZES.items():
        scale = size[0] / width
        roomy = width >= least[0] and height >= least[1] and scale >= SMALLEST_SCALE
        if roomy and abs(height * scale - size[1]) < 1:
            return f"; for a picture of so many pixels write --size {name} --scale {scale:.4g}"
    return ""


def _theme(name: str, typed: str, ground: str) -> str:
    if ground == TRANSPARENT:
        if not name:
            raise RequestError(
                "--background transparent: needs --theme light or dark, as the slide behind it is"
            )
        return name
    contrasts = {each: least_contrast(theme, ground) for each, theme in THEMES.items()}
    best = max(contrasts, key=lambda each: contrasts[each])
    if contrasts[name or best] >= LEAST_CONTRAST:
        return name or best
    if contrasts[best] >= LEAST_CONTRAST:
        rule = f"text would have a contrast of {contrasts[name]:.1f}:1 there, and needs {LEAST_CONTRAST}:1"
        raise RequestError(f"--theme {name} on --background {typed}: {rule}; write --theme {best}")
    # Ink may show where what is grey or in a phase's colour does not.
    text = "grey or coloured text" if contrast(THEMES[best].ink, ground) >= LEAST_CONTRAST else "text"
    rule = f"{text} would have a contrast of {contrasts[best]:.1f}:1 at best, and needs {LEAST_CONTRAST}:1"
    raise RequestError(f"--background {typed}: {rule}; take a lighter or a darker colour")


def _colour(text: str) -> str:
    """A colour as #rrggbb, or "transparent".

    >>> _colour("White"), _colour("#1F2937"), _colour("#abc")
    ('#ffffff', '#1f2937', '#aabbcc')
    """
    colour = text.lower()
    if colour == TRANSPARENT or colour in COLOURS:
        return COLOURS.get(colour, colour)
    if re.fullmatch("#[0-9a-f]{3}", colour):
        return "#" + "".join(digit * 2 for digit in colour[1:])
    if re.fullmatch("#[0-9a-f]{6}", colour):
        return colour
    known = ", ".join((*COLOURS, TRANSPARENT))
    raise RequestError(f"--background {text}: is no colour; write {known} or #rrggbb, in quotes")


def _size(text: str) -> tuple[int, int]:
    if text in SIZES:
        return SIZES[text]
    named = re.fullmatch(r"(\d{1,2})x(\d{1,2})", text.lower())
    if named and f"{named[1]}:{named[2]}" in SIZES:
        raise RequestError(f"--size {text}: is no size; write {named[1]}:{named[2]}")
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text.lower())
    if not found:
        raise RequestError(f"--size {text}: is no size; write {', '.join(SIZES)}, or one as 1320x960")
    width, height = int(found[1]), int(found[2])
    if max(width, height) > LARGEST:
        rule = f"a slide is at most {LARGEST} pixels either way"
        raise RequestError(f"--size {text}: {rule}; for more pixels of the same slide give --scale")
    return width, height


def _scale(scale: float) -> float:
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise RequestError(f"--scale {scale:g}: must lie between {SMALLEST_SCALE} and {LARGEST_SCALE}")
    return scale
