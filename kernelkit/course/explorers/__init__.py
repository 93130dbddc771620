"""The widgets of the course: a folder for each notebook, a file for each panel, and in ``shared`` what several need."""
