"""The command line: the only place that prints, exits or knows of options."""

import gzip
import sys
import time
from pathlib import Path

import click

from builder import __version__
from builder.errors import BuilderError, ContentError

FOLDER = click.Path(path_type=Path, file_okay=False)
INTERRUPTED = 130  # 128 and the number of the signal, as a shell has it


@click.command()
@click.option(
    "--content", type=FOLDER, default=Path("content"), show_default=True, help="What the page says."
)
@click.option(
    "--templates",
    type=FOLDER,
    default=Path("site_templates"),
    show_default=True,
    help="What the page looks like.",
)
@click.option(
    "--out", type=FOLDER, default=Path("dist"), show_default=True, help="Where the site is written."
)
@click.version_option(__version__, package_name="two-phases", prog_name="build")
def build(content: Path, templates: Path, out: Path) -> None:
    """Build the page: one HTML file that needs no server and no network."""
    started = time.perf_counter()
    for folder, option in ((content, "--content"), (templates, "--templates")):
        if not folder.is_dir():
            hint = f"run in the project's folder, or name it by {option}"
            raise click.UsageError(f"{folder}: no such folder; {hint}")
    try:
        # Altair and Vega take a second to load, which --help and a mistyped option should not wait for.
        from builder.site import plan_site, write_site

        files = plan_site(content, templates)
        write_site(files, out)
    except BuilderError as error:
        click.echo(str(error), err=True)
        if isinstance(error, ContentError):
            click.echo(f"{_counted(len(error.findings), 'finding')}; nothing was written", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        click.echo("Aborted", err=True)
        sys.exit(INTERRUPTED)
    for path, data in files.items():
        packed = len(gzip.compress(data, mtime=0))
        click.echo(f"{out / path}  {_kilobytes(len(data))}, {_kilobytes(packed)} gzip")
    click.echo(f"{_counted(len(files), 'file')} in {time.perf_counter() - started:.1f} s")


@click.group()
@click.version_option(__version__, package_name="two-phases", prog_name="builder")
def main() -> None:
    """Build a page on why LLM inference has two bottlenecks."""


main.add_command(build)


def _kilobytes(size: int) -> str:
    return f"{size / 1000:,.1f} kB"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
