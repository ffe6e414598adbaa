"""The workflows keep their rules: all is pinned, no right is more than needed, and make does the work."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "workflows"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
EVERY = pytest.mark.parametrize("name", TEXTS)

PIN = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
# The steps that run a command run one target of the Makefile.
RUN = re.compile(r"make (?:([a-z]+)|\$\{\{ matrix\.(\w+) \}\})")
# What a pull request has to pass, and so what is run once more before a deployment.
GATES = {"check", "test", "twice"}


def values(text: str, key: str) -> list[str]:
    """What stands behind a key on its line, wherever the key is."""
    return re.findall(rf"^[ -]*{re.escape(key)}: *(\S.*)$", text, re.M)


def block(text: str, key: str, indent: int = 0) -> str:
    """The lines below a key that stands so far in; nothing where there is no such key."""
    inside = " " * (indent + 1)
    found = re.search(rf"^{' ' * indent}{re.escape(key)}:.*\n((?:(?:{inside}.*)?\n)*)", text, re.M)
    return found[1] if found else ""


def mapping(text: str) -> dict[str, str]:
    """The pairs of a block that holds nothing else, comments aside."""
    return dict(re.findall(r"^ *([\w-]+): (.+?)(?: #.*)?$", text, re.M))


def jobs(name: str) -> dict[str, str]:
    """The jobs of a workflow: each one's text by its name."""
    below = block(TEXTS[name], "jobs")
    return {job: block(below, job, indent=2) for job in re.findall(r"^  ([\w-]+):", below, re.M)}


def targets(name: str) -> set[str]:
    """The targets that a workflow has made, also by way of a matrix."""
    found = set()
    for command in values(TEXTS[name], "run"):
        made = RUN.fullmatch(command)
        assert made, f"{name}: `{command}` is not one target of the Makefile"
        by_matrix = values(block(TEXTS[name], "matrix", indent=6), made[2])[0] if made[2] else f"[{made[1]}]"
        found |= set(by_matrix.strip("[]").split(", "))
    return found


def test_both_are_there():
    """A pull request has its workflow, and main the one that deploys."""
    assert set(TEXTS) == {"pull-request.yml", "pages.yml"}
    assert "\n  pull_request:\n" in TEXTS["pull-request.yml"]
    assert values(block(TEXTS["pull-request.yml"], "on"), "branches") == []
    assert values(block(TEXTS["pages.yml"], "on"), "branches") == ["[main]"]
    assert "pull_request" not in TEXTS["pages.yml"]


@EVERY
def test_every_action_is_pinned(name: str):
    """An action is named by a full commit hash, with the version that it was in a comment."""
    used = values(TEXTS[name], "uses")
    assert used
    assert [action for action in used if not PIN.fullmatch(action)] == []


def test_an_action_has_one_pin():
    """What both workflows use is the same in both."""
    pins = {pin for text in TEXTS.values() for pin in values(text, "uses")}
    assert len(pins) == len({pin.split("@")[0] for pin in pins})


@EVERY
def test_no_secret_is_used(name: str):
    """A workflow asks for no secret, and leaves no token behind for what it runs."""
    assert not re.search(r"secrets|GITHUB_TOKEN|github\.token", TEXTS[name])
    checkouts = [action for action in values(TEXTS[name], "uses") if action.startswith("actions/checkout@")]
    assert values(TEXTS[name], "persist-credentials") == ["false"] * len(checkouts)


@EVERY
def test_a_workflow_may_only_read(name: str):
    """The rights of a whole workflow end at reading the repository."""
    assert mapping(block(TEXTS[name], "permissions")) == {"contents": "read"}


def test_only_the_deployment_may_deploy():
    """One job has other rights, the two that deploying takes; and that job runs no command."""
    rights = {
        (name, job): mapping(block(text, "permissions", indent=4))
        for name in TEXTS
        for job, text in jobs(name).items()
        if "permissions" in text
    }
    assert rights == {("pages.yml", "deploy"): {"pages": "write", "id-token": "write"}}
    assert values(jobs("pages.yml")["deploy"], "run") == []


def test_what_was_checked_is_deployed():
    """The deployment waits for the job that checks and builds, and comes from main alone."""
    build, deploy = jobs("pages.yml").values()
    assert values(deploy, "needs") == ["build"]
    assert values(deploy, "if") == ["github.ref == 'refs/heads/main'"]
    assert mapping(block(deploy, "environment", indent=4))["name"] == "github-pages"
    assert values(build, "run")[-1] == "make build"
    assert values(build, "path") == ["dist"]


def test_one_deployment_at_a_time():
    """Deployments wait for each other, and none is stopped; a pull request's old run is."""
    assert mapping(block(TEXTS["pages.yml"], "concurrency")) == {
        "group": "pages",
        "cancel-in-progress": "false",
    }
    waiting = mapping(block(TEXTS["pull-request.yml"], "concurrency"))
    assert "github.ref" in waiting["group"]
    assert waiting["cancel-in-progress"] == "true"


@EVERY
def test_every_job_ends(name: str):
    """No job can run for hours, and each names the machine that it runs on by its version."""
    for job, text in jobs(name).items():
        assert int(values(text, "timeout-minutes")[0]) <= 30, job
        assert re.fullmatch(r"ubuntu-\d\d\.04", values(text, "runs-on")[0]), job


@EVERY
def test_only_targets_that_exist_are_made(name: str):
    """Commands are targets that `make help` lists, and all that a change has to pass are among them."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z]+):.*## ", makefile, re.M))
    assert targets(name) >= GATES
    assert targets(name) - listed == set()


def test_the_oldest_python_runs_them():
    """The Python that the workflows take is the one that the project promises."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    promised = re.search(r'requires-python = ">=([\d.]+)"', project)[1]
    versions = {version for text in TEXTS.values() for version in values(text, "python-version")}
    assert versions == {f'"{promised}"'}


def test_the_tools_are_pinned():
    """What comes as npm packages is named exactly, and its pins hold hashes and no address to fetch from."""
    package = (ROOT / "package.json").read_text(encoding="utf-8")
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    wanted = dict(re.findall(r'"([@\w./-]+)": "(\d+\.\d+\.\d+)"', package))
    assert len(wanted) == package.count('": "') - 1
    for name, version in wanted.items():
        assert f'"{name}": "{version}"' in lock
    assert lock.count('"integrity": "sha512-') == lock.count('"node_modules/')
    assert '"resolved"' not in lock
