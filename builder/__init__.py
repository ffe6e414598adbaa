"""A static site generator for one page: why LLM inference has two bottlenecks."""

__version__ = "0.1.0"
