"""The settings of a run: one immutable value that flags, files, checks and the bundle share."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montego.setting import setting, wanted_instead
from montego.train.errors import TrainError


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How a network is trained. Immutable; a run may go on with others, but with the same network.

    Raises:
        TrainError: If a value is impossible; the message names it.
    """

    # The plan

    minutes: float = setting(
        10.0,
        "How long the whole run takes, all its parts together; the rate falls towards its end.",
        bounds=(0.01, 1e6),
    )
    seed: int = setting(0, "Of all random numbers of the run.", bounds=(0, 2**31 - 1))

    # The network

    blocks: int = setting(6, "Residual blocks of the network.", bounds=(1, 100))
    channels: int = setting(64, "Channels of the network.", bounds=(4, 1024))

    # Self-play

    simulations: int = setting(32, "Simulations for a move.", bounds=(1, 100_000))
    first_simulations: int | None = setting(
        None,
        "Simulations for a move at the beginning of the run; they double in equal parts of it "
        "until they are those above (MiniZero). By default they are from the start.",
        bounds=(1, 100_000),
    )
    considered: int = setting(
        16, "Moves considered at the root; never more than half the simulations.", bounds=(1, 1024)
    )
    cheap_share: float = setting(
        0.0,
        "Share of the moves that are searched less and teach no policy (KataGo).",
        bounds=(0.0, 1.0),
    )
    cheap_simulations: int = setting(8, "Simulations for such a move.", bounds=(1, 100_000))
    root_value: float = setting(
        0.0, "How much of the value to learn is what the search found.", bounds=(0.0, 1.0)
    )
    late_noise: float = setting(
        1.0,
        "What the noise by which moves are drawn, 1 at the beginning of a game, falls to: with 1 "
        "the last move is drawn as freely as the first, with 0 it is the best.",
        bounds=(0.0, 1.0),
    )
    noise_moves: float = setting(
        9.0, "Moves in which the noise falls half of the way.", bounds=(0.01, 10_000.0)
    )
    random_moves: int = setting(
        0, "Half of the games begin with up to so many random moves.", bounds=(0, 1000)
    )
    longest: int | None = setting(
        None,
        "Moves after which a game is counted as it stands; by default as many as it can have.",
        bounds=(1, 1_000_000),
    )
    games: int | None = setting(
        None,
        "Games at a time; by default as many as suit the device.",
        bounds=(1, 1_000_000),
    )
    cycle: float = setting(
        3.0, "Seconds of self-play before the network learns again.", bounds=(0.01, 60.0)
    )

    teacher_minutes: float = setting(
        0.0,
        "Minutes at the beginning in which the network of --teacher plays, and this one learns.",
        bounds=(0.0, 1e6),
    )

    # Learning

    batch: int | None = setting(
        None,
        "Positions in a step of learning; by default 4,096 on a GPU and 256 on a CPU.",
        bounds=(1, 1_000_000),
    )
    reuse: float = setting(
        4.0, "How often a position is learned from, on average.", bounds=(0.0, 1000.0)
    )
    window: int = setting(
        4_000_000,
        "The newest positions that are learned from, at most; memory may allow fewer.",
        bounds=(1, 1_000_000_000),
    )
    share: float = setting(
        0.6, "The newest positions that are learned from, as a share of all.", bounds=(0.01, 1.0)
    )
    start: int | None = setting(
        None,
        "Positions that must be there before learning begins or goes on; by default 25 batches.",
        bounds=(1, 1_000_000_000),
    )
    rate: float = setting(2e-3, "The learning rate (AdamW).", bounds=(0.0, 1.0))
    warm_up: int = setting(500, "Steps in which the rate rises to its height.", bounds=(0, 10**6))
    fall: float = setting(
        0.4, "The last part of the run, in which the rate falls in a line.", bounds=(0.0, 1.0)
    )
    last_rate: float = setting(
        0.05, "What the rate falls to, as a share of its height.", bounds=(0.0, 1.0)
    )
    decay: float = setting(0.02, "Weight decay (AdamW).", bounds=(0.0, 1.0))
    clip: float = setting(2.0, "The longest gradient; longer ones are cut.", bounds=(1e-6, 1e9))
    average: float = setting(
        0.99,
        "How much of the averaged weights, which play, stays in a step of learning.",
        bounds=(0.0, 1.0),
    )
    ownership: float = setting(
        0.5,
        "Weight of the ownership of cells, in games that have it; 0 for none.",
        bounds=(0.0, 100.0),
    )
    score: float = setting(
        0.0,
        "Weight of the final score, in games with more than wins; 0 for none.",
        bounds=(0.0, 100.0),
    )
    soft_policy: float = setting(
        0.0,
        "Weight of the policy's fourth root as a second policy to learn (KataGo); 0 for none.",
        bounds=(0.0, 100.0),
    )
    rounded_minutes: float = setting(
        0.0,
        "Minutes at the end of the run in which the network learns with weights and activations "
        "rounded as eight bits round them.",
        bounds=(0.0, 1e6),
    )
    compiled: bool = setting(False, "Whether PyTorch compiles the network (torch.compile).")

    # Rating

    rating: float = setting(
        2.0,
        "Minutes after which the network plays a match against an earlier self, which stays until "
        "it is beaten clearly; 0 for no matches.",
        bounds=(0.0, 1e6),
    )
    rating_games: int | None = setting(
        None,
        "Games of such a match; by default 512 on a GPU and 64 on a CPU.",
        bounds=(2, 1_000_000),
    )

    # When to stop

    least_entropy: float = setting(
        0.01,
        "Entropy of the policies to learn below which they have collapsed; 0 for never.",
        bounds=(0.0, 10.0),
    )
    least_length: float = setting(
        0.1,
        "Length of games below which they have collapsed, as a share of what it was; 0 for never.",
        bounds=(0.0, 1.0),
    )

    def __post_init__(self) -> None:
        for declared in dataclasses.fields(self):
            value = getattr(self, declared.name)
            wanted = wanted_instead(declared, value)
            if wanted is not None:
                raise TrainError(f"invalid {declared.name} {value!r}: say {wanted}")

    def batch_on(self, device: str) -> int:
        """Return how many positions a step has on a device, ``"cpu"`` or ``"gpu"``."""
        if self.batch is not None:
            return self.batch
        return 4096 if device == "gpu" else 256

    def budgets(self) -> list[int]:
        """Return how many simulations a move has in each of the equal parts of the run."""
        budgets = [self.simulations]
        if self.first_simulations is not None:
            while budgets[0] > self.first_simulations:
                budgets.insert(0, max(budgets[0] // 2, self.first_simulations))
        return budgets

    def simulations_at(self, minutes: float) -> int:
        """Return how many simulations a move has that many minutes into the run."""
        budgets = self.budgets()
        part = int(len(budgets) * minutes / self.minutes)
        return budgets[min(max(part, 0), len(budgets) - 1)]

    def start_on(self, device: str) -> int:
        """Return how many positions learning waits for."""
        return 25 * self.batch_on(device) if self.start is None else self.start

    def rate_at(self, minutes: float, step: int) -> float:
        """Return the learning rate that many minutes into the run, *step* steps after a start."""
        left = 1.0 - minutes / self.minutes
        falling = 1.0 if left >= self.fall or self.fall == 0.0 else max(left, 0.0) / self.fall
        height = self.last_rate + (1.0 - self.last_rate) * falling
        rising = 1.0 if self.warm_up == 0 else min(1.0, (step + 1) / self.warm_up)
        return self.rate * height * rising


def read_settings(path: str | Path) -> dict[str, Any]:
    """Return the settings that a TOML file has, by name. Their values are not looked at.

    Raises:
        TrainError: If it cannot be read, is no TOML, or has something that is no setting.
    """
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TrainError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise TrainError(f"{path}: {error}") from None
    known = [declared.name for declared in dataclasses.fields(TrainingSettings)]
    settings = {name.replace("-", "_"): value for name, value in found.items()}
    for name in settings:
        if name not in known:
            raise TrainError(f"{path}: unknown setting {name!r}: say one of {', '.join(known)}")
    return settings
