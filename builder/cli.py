"""The command line: the only place that prints, exits or knows of options."""

import gzip
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder import __version__
from builder.errors import BuilderError, ContentError, Finding, OutputError, RequestError

if TYPE_CHECKING:
    from builder.preview import Preview

INTERRUPTED = 130  # 128 and the number of the signal, as a shell has it


class Folder(click.Path):
    """A folder by its name; an empty one, as of a variable that is not set, is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, file_okay=False, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of a name."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def _folder(option: str, default: str, what: str, **options: Any) -> Callable[[Any], Any]:
    kind = Folder(**options)
    return click.option(option, type=kind, default=Path(default), show_default=True, help=what)


_content = _folder("--content", "content", "What the page says.")
_templates = _folder("--templates", "site_templates", "What the page looks like.")
_strict = click.option("--strict", is_flag=True, help="Take warnings for faults.")


@click.command(short_help="Build the page.")
@_content
@_templates
@_folder("--out", "dist", "Where the site is written.")
@_strict
@click.version_option(__version__, package_name="two-phases", prog_name="build")
def build(content: Path, templates: Path, out: Path, strict: bool) -> None:
    """Build the page: one HTML file that needs no server and no network."""
    started = time.perf_counter()
    _require(content, templates)
    with told(strict):
        # Altair and Vega take a second to load, which --help and a refusal should not wait for.
        from builder.output import OutputFolder
        from builder.output_guard import guarded

        folder = OutputFolder(out, apart_from=(content, templates))
        from builder.site import plan_site

        site = plan_site(content, templates)
        _warn(site.warnings, strict)
        with guarded(folder):
            folder.replace(site.files)
        for path, data in site.files.items():
            packed = len(gzip.compress(data, mtime=0))
            click.echo(f"{out / path}  {_kilobytes(len(data))}, {_kilobytes(packed)} gzip")
        click.echo(f"{_counted(len(site.files), 'file')} in {time.perf_counter() - started:.1f} s")


@click.command(short_help="Say what is wrong, and write nothing.")
@click.argument("folder", type=Folder(), default=Path("content"), metavar="[DIR]")
@_templates
@_strict
def check(folder: Path, templates: Path, strict: bool) -> None:
    """Say all that is wrong with the content in DIR (or in content/), and write nothing."""
    _require(folder, templates, "as DIR")
    with told(strict):
        from builder.site import plan_site

        warnings = plan_site(folder, templates).warnings
        _warn(warnings, strict)
    verdict = f"no fault, {_counted(len(warnings), 'warning')}" if warnings else "nothing wrong"
    click.echo(f"{folder}: {verdict}")


@click.command(short_help="Write a content folder to begin with.")
@click.argument("folder", type=Folder(), metavar="DIR")
def new(folder: Path) -> None:
    """Write a small content folder, DIR, to begin with."""
    with told():
        from builder.starter import write_starter

        files = write_starter(folder)
    for path in files:
        click.echo(str(path))
    click.echo(f"Next: edit {folder / 'scenario.toml'}; build, serve and export take --content {folder}")


@click.command(short_help="Show the page, and each change to it.")
@_content
@_templates
@click.option("--host", default="127.0.0.1", show_default=True, help="Whose requests are answered.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free."
)
def serve(content: Path, templates: Path, host: str, port: int) -> None:
    """Show the page in a browser, and again whenever a file of it is saved; Ctrl-C stops."""
    if not host:  # which would be every address of the machine
        raise click.BadParameter("the name is empty", param_hint="'--host'")
    _require(content, templates)
    with told():
        try:
            from builder.preview import Preview, load_tools, saves
            from builder.preview_server import serving
            from builder.site import plan_site

            preview = Preview(partial(plan_site, content, templates), load_tools(templates))
            with serving(preview, host, port) as address:
                for number, _ in enumerate(saves((content, templates))):
                    _rebuild(preview)
                    if number == 0:
                        click.echo(f"{address} shows the page, and each change to it; Ctrl-C stops")
        # Nothing is cut short here: this is how a server ends, so that the exit is 0.
        except KeyboardInterrupt:
            click.echo("stopped")


def _rebuild(preview: "Preview") -> None:
    started = time.perf_counter()
    faults, warnings = preview.rebuild()
    _warn(warnings)
    if faults:
        click.echo("\n".join([*faults, f"{_counted(len(faults), 'finding')}; not built"]), err=True)
    else:
        click.echo(f"built in {time.perf_counter() - started:.1f} s")


@click.command(short_help="Write charts as files for slides.")
@click.argument("names", nargs=-1, metavar="[NAMES]...")
@click.option("--prompt", type=click.INT, help="Tokens of the prompt.  [default: as the page starts]")
@click.option("--output", type=click.INT, help="Tokens of the answer.  [default: as the page starts]")
@click.option("--batch", type=click.INT, help="Requests in the batch.  [default: as the page starts]")
@click.option("--all-presets", is_flag=True, help="Each preset of the prompt with each of the batch.")
@click.option(
    "--format", "formats", default="png", show_default=True, help="One or more of png,svg,pdf,html,json."
)
@click.option("--theme", "themes", default="", help="light, dark or both as light,dark; else by background.")
@click.option(
    "--background", default="", help="white, black, transparent or #rrggbb.  [default: as the theme's]"
)
@click.option(
    "--size",
    default="16:9",
    show_default=True,
    help="16:9, 4:3, square, or as 1320x960 of a slide 1920 wide.",
)
@click.option(
    "--scale",
    type=click.FLOAT,
    default=1,
    show_default=True,
    help="Times as many pixels, placed at the same size.",
)
@click.option(
    "--scenario", default="", help="A folder of the content's scenarios/.  [default: the first page]"
)
@_content
@_templates
@_folder("--out", "slides", "Where the files are written.")
def export(names: tuple[str, ...], content: Path, templates: Path, out: Path, **options: Any) -> None:
    """Write charts as files for slides.

    NAMES are some of roofline, timeline, metrics and throughput; without a name all are written.
    """
    started = time.perf_counter()
    _require(content, templates)
    written: list[tuple[str, int]] = []
    with told():
        from builder.output import OutputFolder
        from builder.output_guard import guarded

        folder = OutputFolder(out, apart_from=(content, templates), made_by="export")
        from builder.export import plan_export

        plan = plan_export(content, templates, names, **options)
        _warn(plan.warnings)
        files = plan.exporter.files(plan.order, templates)
        label = _counted(len(plan.order), "picture")
        bar = click.progressbar(
            files, plan.order.file_count, label, file=sys.stderr, hidden=not sys.stderr.isatty()
        )
        with bar, guarded(folder):
            for path, data in bar:
                folder.add(path, data)
                written.append((path, len(data)))
        for character, line in plan.exporter.unknown_characters.items():
            rule = (
                f"{character} (U+{ord(character):04X}) is not in the exports' font, and a box stands for it"
            )
            click.echo(f"warning: {line}: {rule}", err=True)
        # Of a folder for a whole talk the sheet is named alone.
        for path, size in written[-1:] if options["all_presets"] else written:
            click.echo(f"{out / path}  {_kilobytes(size)}")
        click.echo(f"{_counted(len(written), 'file')} in {time.perf_counter() - started:.1f} s")


@click.group()
@click.version_option(__version__, package_name="two-phases", prog_name="builder")
def main() -> None:
    """Build a page on why LLM inference has two bottlenecks."""


main.add_command(build)
main.add_command(check)
main.add_command(new)
main.add_command(serve)
main.add_command(export)


def _require(content: Path, templates: Path, content_named: str = "by --content") -> None:
    """Ends the run where there is no folder to read."""
    for folder, named in ((content, content_named), (templates, "by --templates")):
        if not folder.is_dir():
            hint = f"run in the project's folder, or name it {named}"
            raise click.UsageError(f"{folder}: no such folder; {hint}")


@contextmanager
def told(strict: bool = False) -> Generator[None]:
    """Says what went wrong, and exits as its kind of fault does; a fault of the builder shows itself."""
    try:
        yield
    except (OutputError, RequestError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except ContentError as found:
        error = ContentError([*found.findings, *found.warnings]) if strict else found
        _warn(error.warnings)
        click.echo(str(error), err=True)
        click.echo(f"{_counted(len(error.findings), 'finding')}; nothing was written", err=True)
        sys.exit(1)
    except BuilderError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        click.echo("Aborted", err=True)
        sys.exit(INTERRUPTED)
    except Exception as error:
        if _was_interrupted(error):
            click.echo("Aborted", err=True)
            sys.exit(INTERRUPTED)
        error.add_note(
            "This is a fault of the builder, whatever the content: please report it, with the lines above, "
            f"in the project's issue tracker{_tracker()}."
        )
        raise


def _tracker() -> str:
    """The address of the issue tracker, as far as the installed package names one."""
    try:
        urls = metadata.metadata("two-phases").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        urls = []
    named = [address for label, _, address in (url.partition(", ") for url in urls) if label == "Issues"]
    return f" ({named[0]})" if named else ""


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether a library made another error of Ctrl-C."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _warn(findings: list[Finding], strict: bool = False) -> None:
    """Says what can hardly be meant; under --strict that ends the run."""
    if strict and findings:
        raise ContentError(findings)
    for finding in findings:
        click.echo(f"warning: {finding}", err=True)


def _kilobytes(size: int) -> str:
    return f"{size / 1000:,.1f} kB"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
