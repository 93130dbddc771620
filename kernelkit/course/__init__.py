"""The course: panels to touch, exercises with their checks, and the tools that open, check and publish the notebooks.

The library below knows nothing of it, and works with numpy and scipy alone; the course needs ``kernelkit[course]``.
"""
