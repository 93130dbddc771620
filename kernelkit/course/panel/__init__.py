"""The machinery of every explorer; it knows no kernel."""
