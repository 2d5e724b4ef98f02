"""The network that learns: residual blocks of convolutions over boards of any size.

Some blocks, and all heads, also see what the board is like as a whole: of each channel the mean
and the maximum, which a matrix makes into a bias for every cell. Nothing depends on how large
the board is but a policy that is not by cell.

A network comes in two forms of the same shape. One learns, and has a batch norm behind each of its
convolutions; the other only judges, and has these *folded* into the convolutions' weights.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional

from montego.network.description import OUTCOMES
from montego.train.errors import TrainError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from montego.mcts.features import Features
    from montego.train.settings import TrainingSettings

HIDDEN = 64  # numbers between what is seen of the whole board and the value
BY_CELL, DENSE = 32, 8  # channels of the policy's head
SCORE_SCALE = 10.0
"""Points of the score that are 1 within the network."""

RANGE_STEP = 0.02
"""How much of the range of activations is the latest batch's, when they are rounded."""
TINY = 1e-9

MOST_WEIGHTS = 4_000_000
"""Of a network: files that hold more would be larger than 16 MB."""


@dataclass(frozen=True, kw_only=True)
class NetShape:
    """What decides which weights a network has.

    Raises:
        TrainError: If it has more weights than MOST_WEIGHTS.
    """

    game: str
    version: int
    planes: int
    height: int
    width: int
    policy: int
    by_cell: bool
    blocks: int
    channels: int
    ownership: bool = False
    score: bool = False
    soft_policy: bool = False

    @classmethod
    def of(
        cls,
        features: Features,
        settings: TrainingSettings,
        *,
        ownership: bool = False,
        score: bool = False,
    ) -> NetShape:
        """Return the shape that settings ask for; a game has *ownership* and *score* or has not."""
        return cls(
            **_shown(features),
            blocks=settings.blocks,
            channels=settings.channels,
            ownership=ownership and settings.ownership > 0,
            score=score and settings.score > 0,
            soft_policy=settings.soft_policy > 0,
        )

    def for_game(self, features: Features) -> NetShape:
        """Return the shape of such a network for what is shown of another game."""
        return replace(self, **_shown(features))

    @property
    def cells(self) -> int:
        """How many there are on the board."""
        return self.height * self.width

    def differences(self, other: NetShape) -> list[str]:
        """Return in which points two differ, in words."""
        mine, theirs = asdict(self), asdict(other)
        return [
            f"{name.replace('_', ' ')} {mine[name]}, not {theirs[name]}"
            for name in mine
            if mine[name] != theirs[name]
        ]


def _shown(features: Features) -> dict[str, Any]:
    """Return the fields of a shape that the game decides."""
    return {
        "game": features.game,
        "version": features.version,
        "planes": features.planes,
        "height": features.height,
        "width": features.width,
        "policy": features.policy,
        "by_cell": features.by_cell,
    }


class NetAnswer(NamedTuple):
    """What a network says of n positions; all logits but the score."""

    policy: Tensor  # [n, outputs]
    value: Tensor  # [n, 3]: win, loss, draw
    ownership: Tensor | None  # [n, cells]: of being own
    score: Tensor | None  # [n]: in points
    soft_policy: Tensor | None  # [n, outputs]


class Convolution(nn.Module):
    """A convolution with a batch norm behind it, or folded into it."""

    def __init__(self, inputs: int, outputs: int, width: int, *, folded: bool) -> None:
        super().__init__()
        self.filter = nn.Conv2d(inputs, outputs, width, padding=width // 2, bias=folded)
        self.norm = None if folded else nn.BatchNorm2d(outputs)
        self.rounding: nn.ModuleList | None = None

    def round(self) -> None:
        """Compute from now on as with eight bits, where a network learns."""
        if self.rounding is None:
            self.rounding = nn.ModuleList([Rounding(), Rounding()]).to(self.filter.weight.device)

    def forward(self, x: Tensor) -> Tensor:
        """Return [n, outputs, height, width]."""
        if self.rounding is not None and self.norm is not None:
            before, after = self.rounding
            weight = rounded_weights(self.filter.weight)
            x = functional.conv2d(before(x), weight, padding=self.filter.padding)
            rounded: Tensor = after(self.norm(x))
            return rounded
        x = self.filter(x)
        return x if self.norm is None else self.norm(x)

    def activated(self, x: Tensor, around: Tensor | None = None) -> Tensor:
        """Return what :meth:`forward` does, with what went *around* it added, without negatives.

        In one kernel on a GPU where that is possible, which saves half of a judgement's time.
        """
        if self.norm is not None or not x.is_cuda:
            y = self.forward(x)
            return functional.relu(y if around is None else around + y)
        filter_, ones = self.filter, (1, 1)
        given = (filter_.weight, filter_.bias, ones, filter_.padding, ones, 1)
        if around is None:
            return torch.cudnn_convolution_relu(x, *given)
        weight, *rest = given
        return torch.cudnn_convolution_add_relu(x, weight, around, 1.0, *rest)

    def fold_from(self, other: Convolution) -> None:
        """Take over what another, with a batch norm, does when it judges."""
        norm: Any = other.norm
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        self.filter.weight.copy_(other.filter.weight * scale[:, None, None, None])
        self.filter.bias.copy_(norm.bias - norm.running_mean * scale)


class Rounding(nn.Module):
    """Rounds activations to the 256 steps between the least and the greatest, running means both.

    What is learned passes through as if nothing were rounded (Jacob et al. 2018).
    """

    least: Tensor
    greatest: Tensor

    def __init__(self) -> None:
        super().__init__()
        # Found anew within some steps by a run that goes on: not worth keeping.
        for name in ("least", "greatest"):
            self.register_buffer(name, torch.zeros(()), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the shape of *x*; when learning, look at the range of *x* first."""
        if self.training:
            with torch.no_grad():
                is_known = self.least < self.greatest
                for bound, found in ((self.least, x.amin()), (self.greatest, x.amax())):
                    known = torch.where(is_known, bound, found.float())
                    bound.copy_(known + RANGE_STEP * (found.float() - known))
        step = (self.greatest - self.least).clamp_min(TINY) / 255.0
        places = ((x.float() - self.least) / step).round().clamp(0.0, 255.0)
        return x + (places * step + self.least - x.float()).to(x.dtype).detach()


def rounded_weights(weight: Tensor) -> Tensor:
    """Return weights rounded to seven bits, the same steps for each channel that is put out.

    Seven, as :mod:`montego.network.quantization` has them. A batch norm behind, once it is folded,
    changes the steps and not what is rounded to which of them.
    """
    step = weight.detach().abs().amax((1, 2, 3), keepdim=True).clamp_min(TINY) / 64.0
    return weight + ((weight / step).round() * step - weight).detach()


class Block(nn.Module):
    """Two convolutions beside a way around them; between them, maybe, a look at the whole board."""

    def __init__(self, channels: int, *, pooled: bool, folded: bool) -> None:
        super().__init__()
        self.first = Convolution(channels, channels, 3, folded=folded)
        self.second = Convolution(channels, channels, 3, folded=folded)
        self.bias = nn.Linear(2 * channels, channels) if pooled else None

    def forward(self, x: Tensor) -> Tensor:
        """Return what has the shape of *x*."""
        y = self.first.activated(x)
        if self.bias is not None:
            y = y + self.bias(pool(y))[:, :, None, None]
        return self.second.activated(y, around=x)


class Net(nn.Module):
    """A network of a shape, with random weights but heads that begin with no opinion."""

    def __init__(self, shape: NetShape, *, folded: bool = False) -> None:
        super().__init__()
        channels = shape.channels
        policies = 2 if shape.soft_policy else 1
        looks = {shape.blocks // 3, 2 * shape.blocks // 3}
        self.shape = shape
        self.stem = Convolution(shape.planes, channels, 3, folded=folded)
        self.blocks = nn.ModuleList(
            Block(channels, pooled=number in looks, folded=folded) for number in range(shape.blocks)
        )
        width = BY_CELL if shape.by_cell else DENSE
        self.policy_cells = nn.Conv2d(channels, width, 1)
        self.policy_bias = nn.Linear(2 * channels, width)
        if shape.by_cell:
            self.policy = nn.Conv2d(width, policies, 1)
            beyond = shape.policy - shape.cells
            self.beyond = nn.Linear(2 * channels, beyond * policies) if beyond else None
        else:
            self.policy = nn.Linear(width * shape.cells, shape.policy * policies)
            self.beyond = None
        self.hidden = nn.Linear(2 * channels, HIDDEN)
        self.value = nn.Linear(HIDDEN, OUTCOMES)
        self.score = nn.Linear(HIDDEN, 1) if shape.score else None
        self.ownership = nn.Conv2d(channels, 1, 1) if shape.ownership else None
        for last in (self.policy, self.beyond, self.value, self.score, self.ownership):
            if last is not None:
                nn.init.zeros_(last.weight)
                nn.init.zeros_(last.bias)
        if self.weights > MOST_WEIGHTS:
            raise TrainError(
                f"{shape.blocks} blocks of {shape.channels} channels are {self.weights:,} weights, "
                f"more than {MOST_WEIGHTS:,}"
            )

    @property
    def weights(self) -> int:
        """How many there are."""
        return sum(weight.numel() for weight in self.parameters())

    def convolutions(self) -> Iterator[Convolution]:
        """Yield all with a batch norm behind or in them."""
        return (part for part in self.modules() if isinstance(part, Convolution))

    def round(self) -> None:
        """Compute from now on as with eight bits, except where planes come in and in the heads.

        That is what :mod:`montego.network.quantization` leaves as it is.
        """
        for part in self.convolutions():
            if part is not self.stem:
                part.round()

    def forward(self, planes: Tensor) -> NetAnswer:
        """Judge positions [n, planes, height, width]."""
        shape = self.shape
        x = self.stem.activated(planes)
        for block in self.blocks:
            x = block(x)
        seen = pool(x)
        p = functional.relu(self.policy_cells(x) + self.policy_bias(seen)[:, :, None, None])
        if shape.by_cell:
            p = self.policy(p).flatten(2)
        else:
            p = self.policy(p.flatten(1)).unflatten(1, (-1, shape.policy))
        if self.beyond is not None:
            p = torch.cat([p, self.beyond(seen).unflatten(1, (p.shape[1], -1))], 2)
        hidden = functional.relu(self.hidden(seen))
        return NetAnswer(
            policy=p[:, 0],
            value=self.value(hidden),
            ownership=None if self.ownership is None else self.ownership(x).flatten(1),
            score=None if self.score is None else self.score(hidden)[:, 0] * SCORE_SCALE,
            soft_policy=p[:, 1] if shape.soft_policy else None,
        )

    def fold_from(self, other: Net) -> None:
        """Take over the weights of a network that learns; this one is folded."""
        with torch.no_grad():
            for mine, theirs in zip(self.convolutions(), other.convolutions(), strict=True):
                mine.fold_from(theirs)
            weights = dict(other.named_parameters())
            for name, weight in self.named_parameters():
                if not name.endswith(("filter.weight", "filter.bias")):
                    weight.copy_(weights[name])


def pool(x: Tensor) -> Tensor:
    """Return the mean and the maximum of each channel: [n, 2 * channels]."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def win_probability(value: Tensor) -> Tensor:
    """Return that of the player to move, of logits [n, 3]: a draw is half a win."""
    chances = value.float().softmax(1)
    return chances[:, 0] + 0.5 * chances[:, 2]
