"""Training as a command line asks for it: the game, the folder, the device, the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.train.errors import TrainError, check_installed
from montego.train.flags import settings_of
from montego.train.game import find_game

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from montego.train.report import Row


class Outcome(NamedTuple):
    """What a session has come to."""

    folder: Path
    networks: list[Path]
    log: list[Row]
    is_done: bool
    """Whether the plan is; otherwise the same command goes on."""


def train(
    arguments: argparse.Namespace,
    show: Callable[[Row], None],
    stop: Callable[[], bool],
    tell: Callable[[str], None] = lambda _text: None,
) -> Outcome:
    """Train until the plan is done or *stop* says so, and write the network.

    *show* gets the figures after every stretch, *tell* a line at the beginning.

    Raises:
        TrainError: If that is impossible, or has gone wrong; all that was kept stays.
    """
    check_installed("torch", "onnx")
    game = find_game(arguments.game, arguments.size)
    device = device_of(arguments.device)
    # Only now, because PyTorch takes long to load.
    import torch  # noqa: PLC0415

    from montego.train.bundle import Bundle  # noqa: PLC0415
    from montego.train.run import Run, stored_settings  # noqa: PLC0415
    from montego.train.start import start_selfplay  # noqa: PLC0415

    if device == "cpu":
        # Threads cost such small nets more than they give, above all beside other programs.
        torch.set_num_threads(1)
    features = game.features
    if features is None:
        raise TrainError(f"{game.name} has no features: nothing that a network could be shown")
    size = f"{features.height}x{features.width}"
    with Bundle(arguments.output or f"{features.game}-{size}") as bundle:
        saved = bundle.read()
        settings = settings_of(arguments, stored_settings(saved))
        run = Run(
            features,
            settings,
            start_selfplay(game, settings, device),
            bundle,
            device,
            saved=saved,
        )
        shape, weights = run.learner.shape, run.learner.net.weights
        begins = "begins" if saved is None else f"goes on at minute {run.minutes:.1f}"
        tell(
            f"{game.name}, {shape.blocks} blocks of {shape.channels} channels, "
            f"{weights:,} weights, on a {device.upper()}: {begins}, "
            f"{settings.minutes:g} minutes, in {bundle.folder}"
        )
        run.go(show, stop, arguments.pause_after, export=arguments.export)
        return Outcome(bundle.folder, run.export(quantized=True), run.log, run.is_done)


def device_of(name: str | None) -> str:
    """Return ``"cpu"`` or ``"gpu"``: what was asked for, or what there is.

    Raises:
        TrainError: If there is no GPU that PyTorch can use, and one was asked for.
    """
    import torch  # noqa: PLC0415

    if name == "gpu" and not torch.cuda.is_available():
        raise TrainError("there is no GPU that PyTorch can use: say --device cpu")
    return name or ("gpu" if torch.cuda.is_available() else "cpu")
