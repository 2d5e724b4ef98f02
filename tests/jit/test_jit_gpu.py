"""Kernels for many games at once, in Numba's simulator of a GPU, and what is said without a GPU."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray  # noqa: TC002  # Records are read at run time.

from montego.jit import atomic_add, kernel
from montego.jit.gpu import (
    DeviceError,
    Grid,
    Lanes,
    chosen_device,
    device,
    gpu_name,
    has_gpu,
    lanes_of,
    random_starts,
    scratch_lanes,
    upload,
)
from montego.jit.gpu.grid import apart
from montego.jit.gpu.twin import copy_in_groups
from montego.jit.record import Flat
from montego.jit.state import LIMIT, RANDOM, TRACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

simulated = pytest.mark.cuda_simulator
BOTH_LAYOUTS = pytest.mark.parametrize("interleaved", [True, False])


class Account(NamedTuple):
    """A record with arrays of two lengths, and a number."""

    paid: Annotated[NDArray[Any], Flat(np.int64, "payment")]
    balance: Annotated[NDArray[Any], Flat(np.int32, "one")]
    rate: int


@kernel
def settle(account: Account, fees: NDArray[Any]) -> None:
    for payment in range(len(account.paid)):
        atomic_add(account.balance, 0, account.rate * account.paid[payment] - fees[0])


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def negated(number: int) -> int:
    return -number


@kernel
def change_all(change: Callable[[int], int], numbers: NDArray[Any]) -> None:
    for index in range(len(numbers)):
        numbers[index] = change(numbers[index])


@kernel
def add_to(numbers: NDArray[Any], others: NDArray[Any]) -> None:
    numbers[0] += others[0]


# Lanes.


@simulated
@BOTH_LAYOUTS
@pytest.mark.parametrize("games", [1, 31, 32, 33, 70])
def test_what_is_written_for_each_game_is_read_again(games: int, *, interleaved: bool) -> None:
    lanes = Lanes(np.int32, 3, games, interleaved=interleaved)
    assert not lanes.read().any()
    values = np.arange(3 * games, dtype=np.int32).reshape(games, 3)
    lanes.write(values)
    assert (lanes.read() == values).all()
    lanes.write(np.array([7, 8, 9]))
    assert (lanes.read() == [7, 8, 9]).all()
    lanes.clear()
    assert lanes.read().shape == (games, 3)
    assert not lanes.read().any()


@simulated
def test_scratch_space_has_a_limit_and_random_numbers_of_its_own_for_each_game() -> None:
    starts = random_starts(3, 40)
    scratch = scratch_lanes(6, 2, starts).read()

    assert scratch.shape == (40, TRACE + 6 + 2)
    assert (scratch[:, RANDOM] == starts).all()
    assert (scratch[:, LIMIT] == 6).all()
    assert len(set(starts.tolist())) == 40
    assert (starts != random_starts(4, 40)).all()


# Grids.


@simulated
@BOTH_LAYOUTS
def test_a_kernel_runs_once_for_each_game_and_no_other(*, interleaved: bool) -> None:
    lanes = Lanes(np.int64, 2, 70, interleaved=interleaved)
    lanes.write(np.arange(140).reshape(70, 2))

    Grid(change_all, change=doubled)(lanes, games=65)

    expected = np.arange(140).reshape(70, 2)
    expected[:65] *= 2
    assert (lanes.read() == expected).all()


@simulated
def test_functions_are_given_by_name() -> None:
    for change, expected in ((doubled, 6), (negated, -3)):
        lanes = Lanes(np.int64, 1, 1)
        lanes.write(np.array([3]))
        Grid(change_all, change=change)(lanes, games=1)
        assert lanes.read().tolist() == [[expected]]


@simulated
def test_a_record_of_lanes_is_taken_apart_and_arrays_are_shared() -> None:
    account: Any = lanes_of(Account, {"payment": 2, "one": 1}, 3, rate=10)
    account.paid.write(np.array([[1, 2], [3, 4], [5, 6]]))

    Grid(settle)(account, upload(np.array([1])), games=3)

    assert account.balance.read().tolist() == [[28], [68], [108]]


def test_a_function_for_no_parameter_is_refused() -> None:
    with pytest.raises(TypeError, match="no parameter changed"):
        Grid(change_all, changed=doubled)


@pytest.mark.parametrize(
    ("arguments", "error", "line"),
    [
        ([], TypeError, "an argument is missing: numbers"),
        ([1, 2], TypeError, "takes fewer arguments"),
        ([np.zeros(2)], DeviceError, "numbers is not on the GPU: upload it"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    arguments: list[Any], error: type[Exception], line: str
) -> None:
    with pytest.raises(error, match=line):
        Grid(change_all, change=doubled)(*arguments, games=1)


@simulated
def test_an_array_that_is_given_twice_is_refused() -> None:
    lanes = Lanes(np.int64, 2, 3)
    with pytest.raises(TypeError, match="is given an array twice"):
        Grid(add_to)(lanes, lanes, games=3)


def test_what_is_launched_with_overlaps_nothing() -> None:
    launched = (
        'define void @"grid"(i64 %games, i8* %a, float* %b, ptr %c)\n'
        "{\n"
        "  %x = load i32*, i32** %y\n"
        "}\n"
        '!1 = !{ void (i64)* @"grid", !"kernel", i32 1 }\n'
    )
    first = 'define void @"grid"(i64 %games, i8* noalias %a, float* noalias %b, ptr noalias %c)'
    assert apart(launched).split("\n") == [first, *launched.split("\n")[1:]]
    called = 'define i32 @"body"(i8* %a)\n'
    assert apart(called) == called


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 32, 50])
def test_copying_in_groups_copies_everything_and_no_more(length: int) -> None:
    source = np.arange(1, length + 1, dtype=np.int32)
    target = np.zeros(length + 1, np.int32)
    copy_in_groups(source, target)
    assert target.tolist() == [*range(1, length + 1), 0]


@simulated
def test_the_simulator_says_what_it_is() -> None:
    assert has_gpu()
    assert gpu_name() == "Numba's simulator"
    assert chosen_device("auto") == chosen_device("gpu") == "gpu"


# Without a GPU.


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let the GPU be looked for anew, and not in a simulator."""
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    device.load_cuda.cache_clear()
    yield monkeypatch
    device.load_cuda.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, cuda: Any) -> None:
    """Have this found in place of numba.cuda."""
    import numba

    monkeypatch.setattr(device, "find_spec", lambda _name: object())
    monkeypatch.setattr(numba, "cuda", cuda, raising=False)


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_arguments: Any) -> Any:
        raise error

    return fail


def driver_error(text: str) -> Exception:
    """An error as the driver's are: known by its module."""
    kind = type("CudaAPIError", (Exception,), {"__module__": "numba.cuda.cudadrv.driver"})
    error: Exception = kind(text)
    return error


def test_a_missing_package_is_said_with_the_command_that_installs_it(
    fresh: pytest.MonkeyPatch,
) -> None:
    fresh.setattr(device, "find_spec", lambda _name: None)

    with pytest.raises(DeviceError) as raised:
        gpu_name()

    assert str(raised.value) == "numba-cuda is not installed: pip install 'montego[gpu]'"
    assert not has_gpu()
    assert chosen_device("auto") == "cpu"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (None, "no GPU can be used: no CUDA device was found"),
        (
            "\nError at driver init: \n\nCUDA driver library cannot be found.\nIf you are sure …",
            "no GPU can be used: CUDA driver library cannot be found",
        ),
        ("[100] no device", "no GPU can be used: [100] no device"),
    ],
)
def test_a_missing_driver_or_device_is_said_in_a_line(
    fresh: pytest.MonkeyPatch, error: str | None, line: str
) -> None:
    install(fresh, SimpleNamespace(is_available=lambda: False, cuda_error=lambda: error))

    with pytest.raises(DeviceError) as raised:
        chosen_device("gpu")

    assert str(raised.value) == line


def test_a_driver_that_fails_at_once_is_said_in_a_line(fresh: pytest.MonkeyPatch) -> None:
    error = driver_error("[999] unknown\nmore")
    cuda = SimpleNamespace(is_available=lambda: True, current_context=raising(error))
    install(fresh, cuda)

    with pytest.raises(DeviceError, match=r"^no GPU can be used: \[999\] unknown$"):
        gpu_name()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "too little memory"),
        (
            "[700] Call to cuCtxSynchronize results in CUDA_ERROR\n…",
            r"the GPU failed: \[700\] Call",
        ),
    ],
)
def test_what_fails_on_the_gpu_is_said_in_a_line(
    fresh: pytest.MonkeyPatch, text: str, line: str
) -> None:
    cuda = SimpleNamespace(
        is_available=lambda: True,
        current_context=lambda: None,
        device_array=raising(driver_error(text)),
    )
    install(fresh, cuda)

    with pytest.raises(DeviceError, match=line) as raised:
        Lanes(np.int32, 1, 1)
    assert "\n" not in str(raised.value)


def test_errors_of_other_kinds_are_left_as_they_are() -> None:
    with pytest.raises(KeyError), device.device_errors():
        raise KeyError("ours")


def test_where_no_gpu_was_asked_for_by_name_the_cpu_goes_on_with_a_warning() -> None:
    error = DeviceError("the GPU failed: it is gone")

    with pytest.warns(RuntimeWarning, match="^the GPU failed: it is gone; the CPU goes on$"):
        device.go_on_without(error, "auto")
    with pytest.raises(DeviceError, match="it is gone"):
        device.go_on_without(error, "gpu")


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(DeviceError, match="unknown device 'tpu': say one of cpu, gpu, auto"):
        chosen_device("tpu")
