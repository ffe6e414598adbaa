"""The shape of the builder: imports point one way, each library has its door, and every example holds."""

import ast
import doctest
import importlib
import sys
from pathlib import Path

import pytest

import builder

PACKAGE = Path(builder.__file__).parent

# Each layer may import those above it, and no layer itself or one below; a package is one layer.
LAYERS = [
    {"errors", "units", "disk", "line_marks", "addresses"},
    {"source", "local_links", "prose_bounds", "entries", "output", "starter", "typeface", "png"},
    {"drawing", "output_guard"},
    {"toml_syntax"},
    {"table_rules"},
    {"toml_file"},
    {"roofline"},
    {"scenario_tables"},
    {"plausibility"},
    {"scenario"},
    {"figures"},
    {"batch_curve"},
    {"grid", "captions"},
    {"figure_syntax"},
    {"charts"},
    {"look"},
    {"order"},
    {"vega"},
    {"picture"},
    {"prose_rules"},
    {"prose", "metadata"},
    {"content"},
    {"templates"},
    {"page"},
    {"slide_pages"},
    {"site", "export"},
    {"preview"},
    {"preview_server"},
    {"cli"},
    {"__main__"},
]

# The only modules that may import a library; all others get at it through them.
DOORS = {
    "pydantic": {"table_rules", "toml_file", "scenario_tables", "metadata"},
    "pydantic_core": {"table_rules", "toml_file"},
    "altair": {"charts"},
    "markdown": {"prose", "figure_syntax"},
    "jinja2": {"templates"},
    "markupsafe": {"page", "slide_pages", "templates"},
    "fontTools": {"typeface"},
    "vl_convert": {"vega"},
    "watchfiles": {"preview"},
    "click": {"cli"},
}

FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
MODULES = [path for path in FILES if path != Path("__init__.py")]


def layer_of(path: Path) -> str:
    """The name by which the table knows a file."""
    return path.parts[0].removesuffix(".py")


def place(name: str) -> int:
    """The layer of a name; one that the table does not know fails the test that asks."""
    return next(number for number, layer in enumerate(LAYERS) if name in layer)


def imports(path: Path) -> set[str]:
    """The dotted names that a file imports, wherever in it: `builder.units`, `altair`."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            whole = node.module == "builder"
            found |= {f"builder.{name.name}" for name in node.names} if whole else {node.module}
    return found


def inner(path: Path) -> set[str]:
    """The builder's own layers that a file imports, its own package and the version aside."""
    names = {name.split(".")[1] for name in imports(path) if name.startswith("builder.")}
    own = {layer_of(path)} if len(path.parts) > 1 else set()
    return names - own - {"__version__"}


def outer(path: Path) -> set[str]:
    """The packages that a file imports from elsewhere."""
    return {name.split(".")[0] for name in imports(path)} - {"builder"}


def test_every_module_has_its_layer():
    """A new module must be given a place in the table above, and only one."""
    known = [name for layer in LAYERS for name in layer]
    assert len(known) == len(set(known))
    assert {layer_of(path) for path in MODULES} - set(known) == set()


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_one_way(path):
    """A module imports only from earlier layers."""
    too_late = {name for name in inner(path) if place(name) >= place(layer_of(path))}
    assert too_late == set()


@pytest.mark.parametrize("library", DOORS)
def test_each_library_has_its_door(library):
    """Nothing but the modules named for it imports a library."""
    assert {layer_of(path) for path in MODULES if library in outer(path)} - DOORS[library] == set()


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_library_is_known(path):
    """What is neither the builder nor the standard library has its door in the table above."""
    assert outer(path) - set(sys.stdlib_module_names) - set(DOORS) == set()


def test_the_model_is_pure():
    """The formulas import nothing but the standard library, and no other module of the builder."""
    assert inner(Path("roofline.py")) == set()
    assert outer(Path("roofline.py")) - set(sys.stdlib_module_names) == set()


def test_the_package_itself_imports_nothing():
    """Asking for the version costs nothing."""
    assert imports(Path("__init__.py")) == set()


def test_a_wrong_import_would_be_found(tmp_path, monkeypatch):
    """The reading of imports sees every form that Python has, also inside a function."""
    text = "import altair as alt\nfrom builder import site, units\n"
    text += "def f():\n    from builder.charts.axes import x\n"
    (tmp_path / "units.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    assert outer(Path("units.py")) == {"altair"}
    assert inner(Path("units.py")) == {"site", "units", "charts"}


@pytest.mark.parametrize("path", [path for path in MODULES if path.stem != "__main__"], ids=str)
def test_the_examples_hold(path):
    """Every example in a docstring gives what it says."""
    name = ".".join(("builder", *path.with_suffix("").parts)).removesuffix(".__init__")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
