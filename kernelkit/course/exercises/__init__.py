"""The checks of the exercises: ``base`` says what a check is, then one file per notebook."""
