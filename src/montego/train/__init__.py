"""Networks from self-play: what learns, what keeps a run in a folder, and what writes networks.

Needs the extra ``montego[train]``: PyTorch, and onnx to write files. Nothing of it is loaded with
this package; :mod:`montego.train.settings`, :mod:`montego.train.flags`, :mod:`montego.train.errors`
and :mod:`montego.train.game` do without. ``python -m montego.train`` is the same as
``montego train`` where only NumPy, Numba and PyTorch are installed.

Start with :mod:`montego.train.run`, the cycle of playing and learning.
"""
