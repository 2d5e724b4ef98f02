"""How Montego's hot code is compiled, cached and run: the only package that knows Numba.

A *kernel* is a function decorated with :func:`kernel`. It is written in the subset
of Python that Numba compiles, it may call other kernels, and it is compiled when it is
first called, not when it is defined. Importing a module full of kernels is therefore cheap:
neither this package nor its users load Numba until a kernel runs.

The same source also runs without compilation: :func:`interpreted` returns a kernel's twin
in plain Python, and setting ``NUMBA_DISABLE_JIT=1`` makes every kernel run so.
"""

from montego.jit.atomic import atomic_add, atomic_replace
from montego.jit.cache import cache_folder, remove_stale_caches, repair_cache
from montego.jit.foreign import call_at, floats_at, integers_at, words_at
from montego.jit.kernel import (
    Kernel,
    compile_off,
    compiler_complaint,
    interpreted,
    kernel,
    specialize,
)

__all__ = [
    "Kernel",
    "atomic_add",
    "atomic_replace",
    "cache_folder",
    "call_at",
    "compile_off",
    "compiler_complaint",
    "floats_at",
    "integers_at",
    "interpreted",
    "kernel",
    "remove_stale_caches",
    "repair_cache",
    "specialize",
    "words_at",
]
