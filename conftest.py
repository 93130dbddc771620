"""For every test: nbval compares what the cells of a notebook print, and tests/pictures.py what they draw."""

pytest_plugins = ["pictures"]
