"""The widgets of the course: ``base`` makes a panel of three plain functions, then one file per notebook."""
