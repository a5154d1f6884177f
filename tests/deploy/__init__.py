"""What is shipped for hosts: read, checked, and its commands carried out without containers."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
