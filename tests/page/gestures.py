"""What a hand does to the roofline: drags, clicks and touches, at places that the page itself gives."""

from collections.abc import Iterable
from typing import NamedTuple

from playwright.sync_api import Frame, Page

from tests.page.seen import PHASES, STOPS, State, look, places


class Spot(NamedTuple):
    """A place in the window, in CSS pixels."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> "Spot":
        """The place so many pixels to the right and further down."""
        return Spot(self.x + x, self.y + y)


def show_roofline(page: Page | Frame) -> None:
    """Scrolls until the whole roofline is in sight, below the controls that stay at the top."""
    page.evaluate("document.getElementById('roofline').scrollIntoView({block: 'end', behavior: 'instant'})")


def hollow(page: Page | Frame, axis: str, stop: int) -> Spot:
    """Where the page says that a hollow point is."""
    place = page.evaluate("([axis, stop]) => explainer.locate(axis, stop)", [axis, stop])
    return Spot(place["x"], place["y"])


def handle(page: Page | Frame, phase: str) -> Spot:
    """The middle of a live point's handle."""
    place = look(page)["handles"][phase]
    return Spot(place["x"], place["y"])


def drag(page: Page, start: Spot, *way: Spot, up: bool = True) -> None:
    """Presses the mouse at `start` and moves it along `way` in small steps; lets go at its end."""
    page.mouse.move(*start)
    page.mouse.down()
    for spot in way:
        page.mouse.move(*spot, steps=6)
    if up:
        page.mouse.up()


class Fingers:
    """Touches of a page, as the browser gets them from a screen."""

    def __init__(self, page: Page):
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def down(self, *spots: Spot) -> None:
        """Puts as many fingers down."""
        self._send("touchStart", spots)

    def move(self, *spots: Spot) -> None:
        """Moves each finger to its next place."""
        self._send("touchMove", spots)
        # Moves reach the page with its next frame.
        self._page.evaluate("new Promise(requestAnimationFrame)")

    def up(self) -> None:
        """Lifts all fingers."""
        self._send("touchEnd", ())

    def cancel(self) -> None:
        """Takes the touch away from the page, as a system does that needs it itself."""
        self._send("touchCancel", ())

    def swipe(self, start: Spot, end: Spot, steps: int = 8, *, up: bool = True) -> None:
        """Moves one finger from `start` to `end`."""
        self.down(start)
        for part in range(1, steps + 1):
            self.move(start.moved((end.x - start.x) * part / steps, (end.y - start.y) * part / steps))
        if up:
            self.up()

    def _send(self, kind: str, spots: Iterable[Spot]) -> None:
        points = [{"x": spot.x, "y": spot.y, "id": number} for number, spot in enumerate(spots)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def nearest_stop(state: State, phase: str, x: float) -> int:
    """The stop whose point lies nearest to a place across the plot, given as a share of its width."""
    stops = STOPS[PHASES[phase]]
    return min(stops, key=lambda stop: abs(places(state._replace(**{PHASES[phase]: stop}))[phase][0] - x))
