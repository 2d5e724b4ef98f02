"""Training as a command line asks for it: the game, the folder, the device, the run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.network.ranked import BANDS, ranked_features, shown_rank
from montego.train.errors import TrainError, check_installed
from montego.train.flags import settings_of
from montego.train.game import find_game

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from montego.mcts.features import Features
    from montego.mcts.game import GameDefinition
    from montego.train.bundle import Saved
    from montego.train.learning.positions import GameSource, Judge
    from montego.train.report import Measure, Row
    from montego.train.run import Run
    from montego.train.settings import TrainingSettings


class SessionOutcome(NamedTuple):
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
) -> SessionOutcome:
    """Train until the plan is done or *stop* says so, and write the network.

    *show* gets the figures after every stretch, *tell* a line or two at the beginning.

    Raises:
        TrainError: If that is impossible, or has gone wrong; all that was kept stays.
    """
    check_installed("torch", "onnx")
    sizes = sizes_of(arguments.sizes)
    games = [find_game(arguments.game, size) for size in sizes or [arguments.size]]
    shown = [_features_of(game) for game in games]
    device = device_of(arguments.device)
    # Only now, because PyTorch takes long to load.
    import torch  # noqa: PLC0415

    from montego.train.bundle import Bundle  # noqa: PLC0415
    from montego.train.games.start import start_rating, start_selfplay  # noqa: PLC0415
    from montego.train.learning.net import NetShape  # noqa: PLC0415
    from montego.train.run import PlayedBoard, Run, kept_in, stored_settings  # noqa: PLC0415

    if device == "cpu":
        # Threads cost such small nets more than they give, above all beside other programs.
        torch.set_num_threads(1)
    if arguments.by_rank:
        shown = [ranked_features(features) for features in shown]
        if not arguments.records:
            raise TrainError("ranks are in records: say --records with --by-rank")
    if arguments.records and arguments.teacher is not None:
        raise TrainError("--records are played already: --teacher would have nothing to play")
    if arguments.records and len(games) > 1:
        raise TrainError("records are learned for one board at a time: say --size")
    _check_sizes(shown)
    serves = boards_of(arguments.boards, shown)
    with Bundle(arguments.output or _usual_folder(shown)) as bundle:
        saved = bundle.read()
        settings = settings_of(arguments, stored_settings(saved))
        teacher = _teacher(arguments.teacher, shown[-1], settings, device, saved)
        begins_with = arguments.begin_with if saved is None else None
        other = None if begins_with is None else kept_in(begins_with)
        sources: list[GameSource]
        measure: Any = None
        rating = None
        names = " and ".join(game.name for game in games)
        if arguments.records:
            source, measure = _replay(
                games[0], arguments.records, settings.seed, device, by_rank=arguments.by_rank
            )
            # What was played is certain: there is no entropy in it that could collapse.
            settings = replace(settings, least_entropy=0.0)
            sources = [source]
        else:
            tell(f"getting {names} ready; the first time this may take a minute")
            sources = [start_selfplay(game, settings, device) for game in games]
            shape = NetShape.of(
                shown[-1],
                settings,
                ownership=sources[-1].has_ownership,
                score=sources[-1].has_score,
            )
            measure = rating = start_rating(games, settings, shape, device)
        run = Run(
            [PlayedBoard(*pair) for pair in zip(shown, sources, strict=True)],
            settings,
            bundle,
            device,
            saved=saved,
            teacher=teacher,
            measure=measure,
            serves=serves,
        )
        if other is not None:
            fresh = _begin_with(run, other)
            tell(f"begins with the weights of {begins_with}{fresh}")
        if rating is not None:
            rating.begin_with(run.learner.averaged, run.log)
        shape, weights = run.learner.shape, run.learner.net.weights
        begins = "begins" if saved is None else f"goes on at minute {run.minutes:.1f}"
        tell(
            f"{names}, {shape.blocks} blocks of {shape.channels} channels, "
            f"{weights:,} weights, on a {device.upper()}: {begins}, "
            f"{settings.minutes:g} minutes, in {bundle.folder}"
        )
        run.go(show, stop, arguments.pause_after, export=arguments.export)
        return SessionOutcome(bundle.folder, run.export(quantized=True), run.log, run.is_done)


def sizes_of(text: str | None) -> list[int]:
    """Return the sizes of ``--sizes``, the smallest first; none if nothing is said.

    Raises:
        TrainError: If that is no list of sizes.
    """
    if text is None:
        return []
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise TrainError(f"invalid sizes {text!r}: say, for example, 9,13,19")
    return sorted(set(map(int, parts)))


def _features_of(game: GameDefinition) -> Features:
    if game.features is None:
        raise TrainError(f"{game.name} has no features: nothing that a network could be shown")
    return game.features


def _check_sizes(boards: list[Features]) -> None:
    """Make sure that one network can be for all of these boards.

    Raises:
        TrainError: If it cannot.
    """
    kinds = {
        (features.version, features.planes, features.policy - features.cells) for features in boards
    }
    if len(boards) > 1 and (len(kinds) > 1 or not all(each.by_cell for each in boards)):
        raise TrainError(f"a network for {boards[0].game} is for one size alone")


def _usual_folder(boards: list[Features]) -> str:
    """Return the name of a run's folder where none is given: game and boards."""
    sizes = [f"{features.height}x{features.width}" for features in boards]
    return "-".join([boards[0].game.replace(" ", "-"), *sizes])


def boards_of(text: str | None, boards: list[Features]) -> tuple[int, int] | None:
    """Return the lines of the smallest and the largest board that a network is to be for.

    None for the one that is trained on alone.

    Raises:
        TrainError: If that is no range, leaves out a board that is trained on, or the network
            cannot be for several.
    """
    if text is None:
        return None if len(boards) == 1 else (boards[0].height, boards[-1].height)
    least, _, most = text.partition("-")
    if not (least.isdecimal() and most.isdecimal() and int(least) <= int(most)):
        raise TrainError(f"invalid boards {text!r}: say, for example, 13-19")
    if not all(each.by_cell and each.height == each.width for each in boards):
        raise TrainError(f"a network for {boards[0].game} is for one size alone")
    left_out = [each.height for each in boards if not int(least) <= each.height <= int(most)]
    if left_out:
        raise TrainError(f"boards {text} leave out {left_out[0]}, which is trained on")
    return int(least), int(most)


def _replay(
    game: GameDefinition, paths: list[str], seed: int, device: str, *, by_rank: bool
) -> tuple[GameSource, Measure]:
    """Return games to learn from, and what says how well others are known."""
    from montego.train.games.files import HELD_BACK, read_records  # noqa: PLC0415  # Loads NumPy.
    from montego.train.games.records import Replay, known_share  # noqa: PLC0415  # And PyTorch.

    features = game.features
    if features is None or features.game != "go":
        raise TrainError("only games of Go can be learned from records")
    records = read_records(paths, features.height, ranked=by_rank)
    held = Replay(game, records[::HELD_BACK], device=device, seed=seed, ranked=by_rank)
    rest = [record for number, record in enumerate(records) if number % HELD_BACK]
    bands = {
        name: (shown_rank(weakest), shown_rank(strongest))
        for name, (weakest, strongest) in BANDS.items()
    }
    source = Replay(game, rest, device=device, seed=seed, ranked=by_rank)
    return source, known_share(held, bands if by_rank else None)


def _teacher(
    folder: str | None,
    features: Features,
    settings: TrainingSettings,
    device: str,
    saved: Saved | None,
) -> Judge | None:
    """Return what judges like the averaged network of the run in a folder; None if none is due.

    Raises:
        TrainError: If there is none, or it is not for this game and board.
    """
    begun = 0.0 if saved is None else float(saved.info.get("seconds", 0.0)) / 60.0
    if folder is None and settings.teacher_minutes > begun:
        raise TrainError("--teacher-minutes want --teacher, the folder of a run")
    if folder is not None and settings.teacher_minutes == 0.0:
        raise TrainError("--teacher wants --teacher-minutes")
    if folder is None or settings.teacher_minutes <= begun:
        return None
    import torch  # noqa: PLC0415

    from montego.train.learning.judge import NetJudge  # noqa: PLC0415
    from montego.train.run import network_in  # noqa: PLC0415

    net = network_in(folder)
    differences = net.shape.for_game(features).differences(net.shape)
    if differences:
        raise TrainError(
            f"the run in {folder} is for another game or board ({'; '.join(differences)} there)"
        )
    judge = NetJudge(net.shape, torch.device("cuda" if device == "gpu" else "cpu"))
    judge.refresh(net)
    return judge


def _begin_with(run: Run, other: Saved) -> str:
    """Take over the weights of another run; return what to say of those that it does not have."""
    missing = run.learner.begin_with(other.state["learner"]["averaged"])
    run.judge.refresh(run.learner.averaged)
    return f", new are {', '.join(missing)}" if missing else ""


def device_of(name: str | None) -> str:
    """Return ``"cpu"`` or ``"gpu"``: what was asked for, or what there is.

    Raises:
        TrainError: If there is no GPU that PyTorch can use, and one was asked for.
    """
    import torch  # noqa: PLC0415

    if name == "gpu" and not torch.cuda.is_available():
        raise TrainError("there is no GPU that PyTorch can use: say --device cpu")
    return name or ("gpu" if torch.cuda.is_available() else "cpu")
