"""What can go wrong with the machine that kernels are to run on."""

from __future__ import annotations


class DeviceError(RuntimeError):
    """No GPU can be used, or it failed; the message says why in one line."""
