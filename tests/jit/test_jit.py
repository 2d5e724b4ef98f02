"""Kernels: what loads when, compiled and interpreted twins, patience, functions as arguments.

What must be seen from a fresh process runs in one; the folder of machine code has its own file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.jit import Kernel, atomic_add, compile_off, compiler_complaint, interpreted, kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

needs_compiler = pytest.mark.skipif(compile_off(), reason="compilation is off")


def run_python(code: str, **environment: str) -> str:
    """What a fresh process prints that runs *code*; it must succeed in silence otherwise."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MONTEGO_PATIENCE", "NUMBA_DISABLE_JIT")
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@kernel(inline=True)
def square(number: int) -> int:
    return number * number


@kernel
def sum_of_squares(numbers: NDArray[np.int64]) -> int:
    total = 0
    for number in numbers:
        total += square(number)
    return total


@kernel
def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


@kernel
def mean_and_sum(numbers: NDArray[np.int64]) -> tuple[float, int]:
    total = sum_of_squares(numbers)
    return total / len(numbers), total


# Which modules are loaded.

SHOW = "import sys; print(*sorted({'numba', 'numpy', 'llvmlite', 'rich'} & set(sys.modules)))"


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import montego", ""),
        ("import montego; montego.__version__; dir(montego)", ""),
        ("import montego.go", ""),
        ("import montego.jit", ""),
        ("from montego import Rules, GoError, IllegalMove", ""),
        ("import montego.cli.main", ""),
        ("from montego.go.playout.policy import POLICIES", ""),
        ("import montego.go.kernels.position", "numpy"),
        ("import montego.go.sampling.run, montego.go.playout.uniform", "numpy"),
        ("from montego import Game; Game", "numpy"),
    ],
)
def test_what_an_import_loads(code: str, loaded: str) -> None:
    assert run_python(f"{code}\n{SHOW}") == loaded


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["bench", "--help"], ["bench", "playouts", "--help"]]
)
def test_help_loads_neither_numba_nor_numpy(arguments: list[str]) -> None:
    code = f"""
import contextlib, io
from montego.cli.main import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main({arguments!r})
{SHOW}
"""
    assert run_python(code) == ""


def test_a_few_moves_of_a_game_load_no_compiler() -> None:
    code = "from montego import Game; game = Game(9); game.play('b', 'E5'); game.legal_moves()"

    assert run_python(f"{code}\n{SHOW}") == "numpy"


def test_with_compilation_off_the_compiler_is_never_loaded() -> None:
    code = f"""
from montego.go.kernels.layout import empty_state
from montego.go.sampling.run import sample_playouts
assert sample_playouts(empty_state(3), "uniform", count=3).frequency.sum() == 3
{SHOW}
"""
    assert run_python(code, NUMBA_DISABLE_JIT="1") == "numpy"


# Kernels and their twins.


@pytest.mark.small_boards
def test_a_kernel_that_calls_kernels_equals_its_twin() -> None:
    numbers = np.arange(-5, 40)

    assert sum_of_squares(numbers) == sum(n * n for n in range(-5, 40))
    assert interpreted(sum_of_squares)(numbers) == sum_of_squares(numbers)
    assert interpreted(mean_and_sum)(numbers) == mean_and_sum(numbers)


@pytest.mark.small_boards
def test_a_kernel_may_call_itself() -> None:
    assert factorial(10) == interpreted(factorial)(10) == 3628800


@needs_compiler
def test_the_twin_runs_no_machine_code() -> None:
    twin = interpreted(mean_and_sum)
    callee = twin.__globals__["sum_of_squares"]

    assert not isinstance(callee, Kernel)
    assert not isinstance(callee.__globals__["square"], Kernel)
    assert isinstance(mean_and_sum.python.__globals__["sum_of_squares"], Kernel)


def test_a_twin_may_call_other_functions_in_place_of_kernels() -> None:
    seen: list[int] = []

    def looked_at(number: int) -> int:
        seen.append(int(number))
        return int(number) ** 2

    numbers = np.arange(4)
    # It is called by a kernel that the twin calls, not by the twin itself.
    assert interpreted(mean_and_sum, {square: looked_at})(numbers) == mean_and_sum(numbers)
    assert seen == [0, 1, 2, 3]
    assert interpreted(mean_and_sum, {square: lambda _number: 1})(numbers)[1] == 4
    assert mean_and_sum(numbers)[1] == 14


def test_a_kernel_looks_like_its_function() -> None:
    assert factorial.__name__ == "factorial"
    assert repr(factorial) == f"<kernel {__name__}.factorial>"
    assert interpreted(factorial).__name__ == "factorial"


@needs_compiler
def test_machine_code_runs_without_the_interpreter_lock() -> None:
    assert factorial.dispatcher.targetoptions["nogil"] is True


@needs_compiler
def test_threads_that_call_a_new_kernel_at_once_compile_it_once() -> None:
    @kernel
    def triple(number: int) -> int:
        return 3 * number

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(triple(14))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [42] * 4
    assert len(triple.dispatcher.signatures) == 1


@kernel
def is_even(number: int) -> bool:
    return True if number == 0 else is_odd(number - 1)


@kernel
def is_odd(number: int) -> bool:
    return False if number == 0 else is_even(number - 1)


@needs_compiler
def test_kernels_may_call_each_other_in_turn() -> None:
    assert [is_even(4), is_even(5), is_odd(4), is_odd(5)] == [True, False, False, True]


@kernel
def refuse(number: int) -> int:
    if number < 0:
        raise ValueError("below zero", number)
    return number


@kernel
def refuse_within(numbers: NDArray[np.int64]) -> int:
    total = 0
    for number in numbers:
        total += refuse(number)
    return total


@needs_compiler
def test_a_kernel_that_is_called_by_one_can_tell_what_is_wrong() -> None:
    assert refuse_within(np.array([1, 2, 3])) == 6
    with pytest.raises(ValueError, match=r"\('below zero', -7\)"):
        refuse_within(np.array([1, -7]))


@kernel
def say(number: int) -> int:
    print("number", number)  # noqa: T201
    return number


@kernel
def say_twice(number: int) -> int:
    return say(number) + say(number)


@needs_compiler
def test_a_kernel_that_is_called_by_one_can_print(capfd: pytest.CaptureFixture[str]) -> None:
    assert say_twice(21) == 42
    sys.stdout.flush()
    assert capfd.readouterr().out == "number 21\n" * 2


@needs_compiler
def test_what_only_kernels_call_is_no_machine_code_of_its_own() -> None:
    @kernel
    def inner(number: int) -> int:
        return number + 1

    @kernel
    def outer(number: int) -> int:
        return inner(number) * 2

    assert outer(20) == 42
    assert len(inner.part.signatures) == 1
    assert not inner.dispatcher.signatures
    assert inner(41) == 42  # Python may still call it.


@needs_compiler
def test_what_kernels_call_is_shared_by_whole_numbers_of_all_signed_types() -> None:
    @kernel
    def twice(number: int) -> int:
        return number + number

    @kernel
    def callers(colors: NDArray[np.int8], number: int, index: int) -> int:
        return twice(colors[0]) + twice(number) + twice(3) + twice(number=4) + int(twice(index))

    assert callers(np.array([100], np.int8), 20, Index(1)) == 200 + 40 + 6 + 8 + 2
    assert len(twice.part.signatures) == 2  # and another for indices, which are unsigned


# Patience.

PATIENT = """
import sys, time
from montego.go.kernels.layout import (empty_state, point_at)
from montego.go.kernels.position import move_fault, position_hash

state = empty_state(5)
answers = []
def ask(times):
    for _ in range(times):
        answers.append(move_fault(state, point_at(2, 2, 5), 1))

ask({calls})
print("numba" in sys.modules)
ask(1)
begin = time.monotonic()
while move_fault._patience is not None and time.monotonic() - begin < 120:
    ask(1)
    time.sleep(0.01)
ask(3)
print("numba" in sys.modules, set(answers), len(move_fault.dispatcher.signatures))
"""


def test_a_patient_kernel_is_interpreted_first_and_compiled_later() -> None:
    shown = run_python(PATIENT.format(calls=7), MONTEGO_PATIENCE="7")

    assert shown.splitlines() == ["False", "True {0} 1"]


def test_without_patience_the_first_call_compiles() -> None:
    shown = run_python(PATIENT.format(calls=1), MONTEGO_PATIENCE="0")

    assert shown.splitlines() == ["True", "True {0} 1"]


def test_a_patience_that_is_no_number_is_the_usual_one() -> None:
    code = (
        "from montego.jit.kernel import PATIENCE\nfrom montego.go.kernels.position import play\n"
        "print(play._patience == PATIENCE)"
    )

    assert run_python(code, MONTEGO_PATIENCE="soon") == "True"


@pytest.mark.parametrize("calls", [30])
def test_results_do_not_change_when_machine_code_takes_over(calls: int) -> None:
    code = f"""
import random, time
from montego import Game
from montego.go.kernels.position import move_fault, play, position_hash
game, rng = Game(5, rules="tromp-taylor"), random.Random(4)
trail = []
for _ in range({calls}):
    game.play(game.to_play, rng.choice(game.legal_moves() or ["pass"]))
    trail.append(game.board.hash % 1000)
    time.sleep(0.05 if play._patience is not None and play._patience < 0 else 0)
print(trail)
"""
    shown = {run_python(code, MONTEGO_PATIENCE=patience) for patience in ("0", "20", "1000000")}

    assert len(shown) == 1


# Functions as arguments.


def unary_type(types: Any) -> Any:
    return types.FunctionType(types.int64(types.int64))


@kernel
def add_one(number: int) -> int:
    return number + 1


@kernel
def negate(number: int) -> int:
    return -number


@kernel(signature=lambda types: types.int64(unary_type(types), unary_type(types), types.int64))
def compose(outer: Callable[[int], int], inner: Callable[[int], int], number: int) -> int:
    return outer(inner(number))


@pytest.mark.small_boards
@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        (add_one, negate, -9),
        (negate, add_one, -11),
        (add_one, add_one, 12),
        (negate, negate, 10),
        (square, negate, 100),
        (factorial, add_one, 39916800),
    ],
)
def test_a_kernel_may_be_an_argument(
    outer: Kernel[[int], int], inner: Kernel[[int], int], expected: int
) -> None:
    twins = interpreted(outer), interpreted(inner)

    assert compose(outer, inner, 10) == expected
    assert interpreted(compose)(*twins, 10) == expected


@needs_compiler
def test_a_caller_is_compiled_once_whatever_functions_it_is_given() -> None:
    assert compose(add_one, negate, 1) == 0
    assert compose(negate, add_one, 1) == -2
    assert len(compose.dispatcher.signatures) == 1


# Atomic addition.


@kernel
def add_often(counters: NDArray[Any], index: int, value: int, times: int) -> None:
    for _ in range(times):
        atomic_add(counters, index, value)


@kernel
def draw_tickets(counters: NDArray[Any], tickets: NDArray[np.int64]) -> None:
    for index in range(len(tickets)):
        tickets[index] = atomic_add(counters, 0, 1)


def in_threads(work: Callable[[int], object], count: int = 4) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.small_boards
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("twin", [False, True])
def test_threads_lose_no_count(dtype: type[np.integer[Any]], *, twin: bool) -> None:
    counters = np.zeros(5, dtype)
    add = interpreted(add_often) if twin else add_often
    times = 2_000 if twin or compile_off() else 200_000

    in_threads(lambda number: add(counters, 2, number + 1, times))

    assert counters.tolist() == [0, 0, 10 * times, 0, 0]


@pytest.mark.small_boards
@pytest.mark.parametrize("twin", [False, True])
def test_every_caller_is_told_a_different_count(*, twin: bool) -> None:
    counters = np.full(1, 7, np.int64)
    draw = interpreted(draw_tickets) if twin else draw_tickets
    tickets = [np.zeros(500, np.int64) for _ in range(4)]

    in_threads(lambda number: draw(counters, tickets[number]))

    assert sorted(np.concatenate(tickets).tolist()) == list(range(7, 2007))
    assert counters[0] == 2007


@pytest.mark.small_boards
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_counts_may_go_down(dtype: type[np.integer[Any]]) -> None:
    counters = np.full(3, 10, dtype)

    add_often(counters, 1, -4, 5)
    interpreted(add_often)(counters, 0, -4, 5)

    assert counters.tolist() == [-10, -10, 10]


@needs_compiler
def test_atomic_addition_wants_integers() -> None:
    with pytest.raises(Exception, match="atomic_add"):
        add_often(np.zeros(1), 0, 1, 1)


# --- What the compiler has to say ---


def plain_helper(number: int) -> int:
    return number + 1


TABLE = {1: 2}


@kernel
def calls_a_plain_function(number: int) -> int:
    return plain_helper(number)


@kernel
def calls_one_that_does(number: int) -> int:
    return calls_a_plain_function(number)


@kernel
def looks_into_a_dictionary(number: int) -> int:
    return TABLE[number]


@needs_compiler
@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (calls_a_plain_function, "plain_helper is a plain function: write @kernel above its def"),
        (calls_one_that_does, "plain_helper is a plain function: write @kernel above its def"),
        (
            looks_into_a_dictionary,
            "TABLE is a dict: compiled code takes numbers, tuples and arrays from outside",
        ),
    ],
)
def test_what_is_missing_for_compiled_code_is_said(
    function: Kernel[[int], int], complaint: str
) -> None:
    with pytest.raises(Exception, match="Untyped global name") as refused:
        function(1)
    assert compiler_complaint(refused.value) == complaint
