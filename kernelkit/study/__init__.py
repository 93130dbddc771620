"""Questions asked of kernels and models: is it a kernel, which one to choose, and how good is the choice."""
