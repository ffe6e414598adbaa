"""What one would do without the builder: `python -m bench.altair_file OUT` saves one chart.

The same scenario, grid and chart, with Altair's own inputs and runtime, all in one HTML file.
"""

import sys
from pathlib import Path

from builder.charts import FIGURES, GRID, LIGHT
from builder.charts.parameters import own_inputs, state_row
from builder.grid import build_grid
from builder.scenario import load_scenario


def main() -> None:
    """Builds the grid and the roofline, and saves it."""
    grid = build_grid(load_scenario(Path("content/scenario.toml")))
    kind = FIGURES["roofline"]
    width, height = kind.plot("wide")
    chart = kind.draw(grid, LIGHT).add_params(*own_inputs(grid), state_row(grid))
    chart = chart.properties(width=width, height=height, padding=kind.padding, autosize="none")
    chart = chart.properties(datasets={GRID: grid.rows(kind.fields)}, config=LIGHT.config())
    chart.save(sys.argv[1], inline=True)


if __name__ == "__main__":
    main()
