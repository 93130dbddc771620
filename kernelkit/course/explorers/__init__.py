"""The widgets of the course: a folder for each notebook, a file for each panel.

What several panels draw is in ``drawing``, and the data of several in ``data``.
"""
