"""Kernels may be compiled by several threads at once, and one of them inside another."""

from __future__ import annotations

import threading

import pytest

from montego.jit import compile_off, kernel


@pytest.mark.skipif(compile_off(), reason="nothing is compiled")
def test_a_thread_that_compiles_does_not_wait_for_one_that_waits_for_it() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    @kernel(signature=lambda types: types.int64(types.int64))
    def first(number: int) -> int:
        return number + 1

    @kernel(signature=lambda types: types.int64(types.int64))
    def second(number: int) -> int:
        return number + 2

    waiting = threading.Thread(target=lambda: first.dispatcher, daemon=True)
    compiled = threading.Event()

    def compile_second() -> None:
        # As Numba does while it compiles a caller and comes to the kernels in it.
        with global_compiler_lock:
            waiting.start()
            waiting.join(timeout=0.5)
            assert second.dispatcher is not None
            compiled.set()

    threading.Thread(target=compile_second, daemon=True).start()

    assert compiled.wait(timeout=60)
    waiting.join(timeout=60)
    assert not waiting.is_alive()
