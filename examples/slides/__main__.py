"""Makes the talk: `python -m examples.slides`."""

from pathlib import Path

import click

from builder.cli import Folder, told
from builder.content import read_content
from builder.output import OutputFolder
from examples.slides.deck import deck_files
from examples.slides.powerpoint import powerpoint_file
from examples.slides.talk import read_talk

HERE = Path(__file__).parent
POWERPOINT = "two-phases.pptx"


@click.command()
@click.option("--content", type=Folder(), default=Path("content"), show_default=True)
@click.option("--templates", type=Folder(), default=Path("site_templates"), show_default=True)
@click.option("--reveal", type=Folder(), default=Path(".venv/web/node_modules/reveal.js"), show_default=True)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--out", type=Folder(), default=Path("build/slides"), show_default=True)
def main(content: Path, templates: Path, reveal: Path, theme: str, out: Path) -> None:
    """Write a reveal.js deck and a PowerPoint file of the same six slides."""
    with told():
        folder = OutputFolder(out, apart_from=(content, templates, HERE), made_by="examples/slides")
        page = read_content(content).pages[0]
        slides = read_talk(HERE / "slides.toml", page)
        files = deck_files(slides, page, theme, templates, reveal)
        files[POWERPOINT] = powerpoint_file(slides, page, theme)
        folder.replace(files)
    for name in ("index.html", POWERPOINT):
        click.echo(str(out / name))


if __name__ == "__main__":
    main()
