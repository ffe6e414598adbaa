"""Colours as a browser shows them, and the contrast that WCAG 2.2 defines between two of them."""

import base64
from typing import Any

from playwright.sync_api import Locator, Page

Colour = tuple[int, int, int]

# What a value of a style sheet comes to, whatever it is written in: painted on one pixel and read again.
_RESOLVED = """
(values) => values.map((value) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = value;
  const shown = getComputedStyle(probe).color;
  probe.remove();
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.fillStyle = shown;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
})
"""
_PIXELS = """
async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: [...data] };
}
"""


def resolved(page: Page, *values: str) -> list[Colour]:
    """What CSS values come to on the page."""
    return [tuple(colour) for colour in page.evaluate(_RESOLVED, list(values))]


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours, from 1 to 21.

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Picture:
    """What an element looks like, pixel by pixel."""

    def __init__(self, element: Locator | Page, **options: Any):
        page = element.page if isinstance(element, Locator) else element
        found = page.evaluate(_PIXELS, base64.b64encode(element.screenshot(**options)).decode())
        self.width, self.height, self._data = found["width"], found["height"], found["data"]

    def at(self, x: float, y: float) -> Colour:
        """The colour at a place, given as shares of width and height."""
        column = min(self.width - 1, round(x * self.width))
        row = min(self.height - 1, round(y * self.height))
        start = 4 * (row * self.width + column)
        return tuple(self._data[start : start + 3])

    def colours(self) -> set[Colour]:
        """All that it is painted in."""
        return {tuple(self._data[at : at + 3]) for at in range(0, len(self._data), 4)}
