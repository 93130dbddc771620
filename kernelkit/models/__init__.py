"""The models: primal, dual and kernel forms side by side, one family a file."""
