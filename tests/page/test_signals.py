"""What the controls hand to the charts: numbers, from one constant with the page."""

import pytest

from tests.page.seen import START, STOPS, TOO_BIG, State, check, set_state

# Keeps every chart that the page makes, and the specification that it makes it from.
KEEP = """
globalThis.kept = { views: [], specs: [] };
let runtime;
Object.defineProperty(globalThis, "vegaRuntime", {
  get: () => runtime,
  set(given) {
    const View = class extends given.View {
      constructor(...all) {
        super(...all);
        kept.views.push(this);
      }
    };
    const parse = (spec, ...more) => {
      kept.specs.push(spec);
      return given.parse(spec, ...more);
    };
    runtime = { ...given, View, parse };
  },
});
"""
ROWS = "kept.views.map(view => view.signal('state_row'))"


@pytest.fixture
def page(open_page):
    """The page with its charts at hand."""
    return open_page(init=KEEP)


def test_the_row_is_a_number(page):
    """The charts look up row (10 · 15 + 6) · 20 + 0 = 3,120 at the start, as a number."""
    assert page.evaluate(ROWS) == [3120, 3120]


def test_an_input_is_added_as_a_number(page):
    """An input that holds the text "9" leads nine rows on, not to a row with a 9 at its end."""
    page.evaluate(
        "Object.assign(document.getElementById('batch'), { value: '9' }).dispatchEvent(new Event('input'))"
    )
    assert page.evaluate(ROWS) == [3129, 3129]
    check(page, State(batch=32))


@pytest.mark.parametrize("name", STOPS)
def test_a_chart_starts_where_its_input_does(page, open_page, name):
    """The value in the HTML, the state of the page and the parameter of each chart are one number."""
    parameters = page.evaluate(
        "name => kept.specs.map(spec => spec.signals.find(signal => signal.name === name).value)", name
    )
    in_html = open_page(java_script_enabled=False).get_attribute(f"#{name}", "value")
    assert parameters == [int(in_html)] * 2
    assert STOPS[name][int(in_html)] == START._asdict()[name]


def test_each_stop_is_its_row(page):
    """Every stop of each axis leads every chart to the row that lies there: prompt slowest, batch fastest."""
    for name in STOPS:
        for stop in STOPS[name]:
            state = START._replace(**{name: stop})
            set_state(page, state)
            prompt, output, batch = state.values.values()
            assert page.evaluate(ROWS) == [(prompt * 15 + output) * 20 + batch] * 2


def test_a_preset_moves_the_input(page):
    """A preset writes the input that the charts are bound to, and they follow."""
    page.click('[data-set="batch:64"]')
    assert page.input_value("#batch") == "11"
    assert page.evaluate(ROWS) == [3131, 3131]
    check(page, TOO_BIG)


THERE_AND_BACK = {
    "set": "explainer.set({ prompt: 64, batch: 768 }); explainer.set({ prompt: 1024, batch: 1 });",
    "click": """
      for (const spot of ["[data-set='prompt:32']", "[data-set='batch:64']", "#reset"]) {
        document.querySelector(spot).click();
      }
    """,
}


@pytest.mark.parametrize("way", THERE_AND_BACK)
def test_moved_there_and_back_at_once(page, way):
    """A script can move on before Vega has drawn its first move: the charts show the last one."""
    page.evaluate(f"() => {{ {THERE_AND_BACK[way]} }}")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate(ROWS) == [3120, 3120]
    check(page, START)


def test_a_parameter_moves_the_page(page):
    """A chart whose parameter is set by a script moves the control, and with it the rest of the page."""
    page.evaluate(
        "kept.views[0].signal('batch', 11).runAsync().then(() => kept.views[1].runAsync()).then(() => {})"
    )
    check(page, TOO_BIG)


def test_text_is_never_run_as_code(page):
    """The page's policy lets no script but its own run, and no text become one."""
    policy = page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content")
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
