"""The same sources give the same bytes, wherever and whenever they are built."""

import os
import subprocess
import sys

from builder.output import MANIFEST
from builder.site import plan_site
from tests.conftest import ROOT, TEMPLATES

ENVIRONMENTS = {
    "C": {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"},
    "POSIX, and Python's UTF-8 mode off": {
        **{"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        **{"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"},
    },
    "C.UTF-8": {"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/Adak", "PYTHONHASHSEED": "2"},
    "another day": {"LANG": "de_DE.UTF-8", "SOURCE_DATE_EPOCH": "1", "PYTHONHASHSEED": "3"},
}


def _built_elsewhere(content, folder, environment):
    """Every file of a build in another process, folder and environment, with sources of another age."""
    folder.mkdir()
    for source, name in ((content, "content"), (TEMPLATES, "site_templates")):
        subprocess.run(["cp", "-r", source, folder / name], check=True)
    for path in folder.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000 + len(environment)))
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "LANG", "TZ", "PYTHON"))
    }
    command = [sys.executable, "-m", "builder", "build", "--out", "the site"]
    subprocess.run(
        command,
        cwd=folder,
        env=clean | environment | {"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    out = folder / "the site"
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert files.pop(MANIFEST)
    return files


def test_the_same_bytes_everywhere(content, tmp_path):
    """Folder, date, time zone, locale and hash seed leave no trace, also with text beyond ASCII."""
    part = content / "prose" / "part.md"
    part.write_text("## Größe, 批处理\n\n{{ ttft }} – «так» 🙂 {{ model }}\n", encoding="utf-8")
    scenario = content / "scenario.toml"
    scenario.write_text(scenario.read_text(encoding="utf-8").replace('"toy"', '"玩具"', 1), encoding="utf-8")
    here = plan_site(content, TEMPLATES).files
    assert "批处理".encode() in here["index.html"]
    assert "玩具".encode() in here["index.html"]
    for number, environment in enumerate(ENVIRONMENTS.values()):
        assert _built_elsewhere(content, tmp_path / f"folder {number} ü", environment) == here


def test_a_second_page_of_one_process(content):
    """What was built before in the same process leaves no trace."""
    assert plan_site(content, TEMPLATES) == plan_site(content, TEMPLATES)
