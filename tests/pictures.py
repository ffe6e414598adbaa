"""Exported pictures for the tests: charts, sizes and states, and what is wrong with a drawing's texts."""

import re
from itertools import combinations
from xml.etree import ElementTree

from builder.charts import SLIDES
from builder.look import choose_look
from builder.scenario import State

CHARTS = sorted(SLIDES)
SIZES = ("16:9", "4:3", "square")
# The start, one that does not fit, past the ridge; and what is longest and lies closest.
STATES = {
    "start": State(1024, 128, 1),
    "too big": State(4096, 128, 512),
    "past the ridge": State(1024, 128, 512),
    "past the ridge and fits": State(32, 16, 1024),
    "longest": State(6144, 2048, 1024),
    "at the limit": State(1024, 128, 48),
    "beside the peak": State(64, 128, 2),
    "together": State(32, 128, 32),
}
LIGHT = choose_look("light", "", "16:9", 1)


def live_points(drawing):
    """The boxes of the large points, by how they are painted: edged in the paper's colour."""
    boxes = []
    for part in drawing.parts:
        if isinstance(part, ElementTree.Element) and part.get("stroke") == drawing.background:
            x, y = map(float, re.findall(r"-?[\d.]+", part.get("transform")))
            boxes.append((x - 8, y - 8, x + 8, y + 8))
    return boxes


def overlap(one, other):
    """Whether two boxes do, by more than the pixel that letters leave free above and below."""
    return one[0] < other[2] and other[0] < one[2] and one[1] + 1 < other[3] and other[1] + 1 < one[3]


def flaws(drawing):
    """Texts that touch each other or a live point, or come near the edge."""
    texts = [text for text in drawing.texts if not text.turned]
    found = [f"{a.line} | {b.line}" for a, b in combinations(texts, 2) if overlap(a.box, b.box)]
    found += [text.line for text in texts for point in live_points(drawing) if overlap(text.box, point)]
    for text in texts:
        left, top, right, bottom = text.box
        if min(left, top, drawing.width - right, drawing.height - bottom) < 6:
            found.append(f"edge: {text.line}")
    return found
