"""Takes pictures of the built page: `python -m tests.screenshots` writes them into build/screenshots/."""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import LAUNCH_ARGS, find_browser

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "dist" / "index.html"
FOLDER = ROOT / "build" / "screenshots"

WIDTHS = (1280, 768, 360)
SCHEMES = ("light", "dark")
STATES = {
    "start": "",
    "does-not-fit": "#batch=64",
    "past-the-ridge": "#batch=512",
    "shortest": "#prompt=32&output=16&batch=1",
    "longest": "#prompt=6144&output=2048&batch=1024",
}


def take(browser: Browser, width: int, scheme: str, state: str) -> Path:
    """One picture of the whole page; gives its file."""
    window = {"width": width, "height": 800}
    context = browser.new_context(viewport=window, color_scheme=scheme, offline=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(PAGE.as_uri() + STATES[state])
    page.evaluate("explainer.ready")
    path = FOLDER / f"{width}-{scheme}-{state}.png"
    page.screenshot(path=path, full_page=True)
    context.close()
    return path


def main() -> None:
    """Takes a picture of each state, in each width and scheme."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=LAUNCH_ARGS)
        for width in WIDTHS:
            for scheme in SCHEMES:
                for state in STATES:
                    print(take(browser, width, scheme, state).relative_to(ROOT))
        browser.close()


if __name__ == "__main__":
    main()
