"""What learns: the network, its averaged weights, the optimizer, and the windows it learns from.

A network may learn several boards at once, each with a window of its own. A step draws positions
from one window, each turned at random, and moves the weights. On a GPU its
kernels are recorded once (a CUDA graph) and played back, and nothing is read back between steps:
the figures of all steps of a call add up on the device.

The value has two questions to answer, both proper ones whatever targets are mixed of: how much is
to be expected (a draw is half a win), and whether it is exactly a draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch.nn import functional
from torch.optim.swa_utils import get_ema_multi_avg_fn

from montego.train.learning.net import SCORE_SCALE, Net
from montego.train.learning.recording import recorded, warm_up_apart
from montego.train.learning.window import ReplayWindow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

    from montego.mcts.features import Features
    from montego.train.learning.net import NetShape
    from montego.train.learning.window import TurnedSample
    from montego.train.settings import TrainingSettings

FIGURES = ("policy", "value", "ownership", "score", "soft_policy", "entropy", "accuracy")
"""What is watched: losses, entropy of the policies to learn, how often the best move is the same.

The policy's loss is without the entropy: how far the network is from what it is to learn."""

BETAS = (0.9, 0.98)
SOFTNESS = 0.25
"""The power of the soft policy (KataGo, "Methods": auxiliary soft policy target)."""
HALF = math.log(2.0)
TINY = 1e-9

Rate = Callable[[int], float]
"""From steps since the moments of the optimizer began, the learning rate."""


class Portion(NamedTuple):
    """What is to be learned from one window."""

    steps: int
    newest: int
    """How many of the newest positions the steps draw from."""


class Learner:
    """A network that learns on a device, ``"cpu"`` or ``"cuda"``, from games on some boards."""

    def __init__(
        self,
        boards: Sequence[Features],
        shape: NetShape,
        settings: TrainingSettings,
        device: torch.device,
        *,
        records: bool | None = None,
    ) -> None:
        """Begin with random weights. A shape that is not by cell is for one board alone.

        *records* says whether a step is recorded as a CUDA graph; by default on a GPU.
        """
        self.shape = shape
        self.device = device
        self.steps = 0
        """Of the whole run."""
        self.warm_steps = 0
        """Since the optimizer's moments began."""
        is_gpu = device.type == "cuda"
        if is_gpu:
            torch.backends.cudnn.benchmark = True
        self._settings = settings
        self._is_gpu = is_gpu
        self._records = is_gpu if records is None else records
        self._graphs: dict[ReplayWindow, Any] = {}
        self._is_rounded = False

        torch.manual_seed(settings.seed)  # the initial weights
        self.net = Net(shape).to(device, memory_format=torch.channels_last)
        self.averaged = Net(shape).to(device, memory_format=torch.channels_last)
        self.averaged.load_state_dict(self.net.state_dict())
        self.averaged.eval().requires_grad_(False)
        self._pairs = (_floats(self.averaged), _floats(self.net))
        self._average = get_ema_multi_avg_fn(settings.average)
        self._rate = torch.tensor(0.0, device=device)
        weights = list(self.net.parameters())
        self._optimizer = torch.optim.AdamW(
            [
                {"params": [w for w in weights if w.ndim > 1], "weight_decay": settings.decay},
                {"params": [w for w in weights if w.ndim <= 1], "weight_decay": 0.0},
            ],
            lr=self._rate,
            betas=BETAS,
            fused=True,
            capturable=is_gpu,
        )
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate  # The same tensor: what is recorded reads its memory.

        self.windows = [
            ReplayWindow(features, settings.window, device, ownership=shape.ownership)
            for features in boards
        ]
        """The positions of each board."""
        self._window = self.windows[0]  # Of the step that is taken.
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        self.batch = settings.batch_on("gpu" if is_gpu else "cpu")
        self._places = torch.zeros(self.batch, dtype=torch.long, device=device)
        self._symmetries = torch.zeros(self.batch, dtype=torch.long, device=device)
        self._sums = torch.zeros(len(FIGURES), device=device)
        self._losses: Any = (
            torch.compile(self._judged, dynamic=False) if settings.compiled else self._judged
        )

    def learn(
        self,
        portions: Sequence[Portion],
        rate: Rate,
        stop: Callable[[], bool] = lambda: False,
    ) -> dict[str, float]:
        """Take a portion from each window, all of them mingled evenly; return the figures' means.

        Fewer steps if *stop* says so. The device is waited for once, at the end.
        """
        self.net.train()
        self._sums.zero_()
        before = self.steps
        for number in mingled([portion.steps for portion in portions]):
            if stop():
                break
            self._window = window = self.windows[number]
            window.draw(portions[number].newest, self._places, self.generator)
            torch.randint(
                0,
                window.symmetries,
                self._symmetries.shape,
                generator=self.generator,
                out=self._symmetries,
            )
            self._rate.fill_(rate(self.warm_steps))
            if not self._records:
                self._step()
            else:
                if window not in self._graphs:
                    self._graphs[window] = self._record()
                self._graphs[window].replay()
            self.steps += 1
            self.warm_steps += 1
        means = (self._sums / max(1, self.steps - before)).tolist()
        return dict(zip(FIGURES, means, strict=True))

    def round(self) -> None:
        """Learn from now on with activations and weights rounded as in a network of eight bits."""
        if not self._is_rounded:
            self._is_rounded = True
            self._graphs.clear()
            self.net.round()

    def figures(self, sample: TurnedSample) -> tuple[Tensor, Tensor]:
        """Return the loss to minimize and FIGURES, of a sample."""
        settings = self._settings
        with torch.autocast(
            self.device.type, torch.bfloat16, enabled=self._is_gpu, cache_enabled=False
        ):
            planes = sample.planes if self._is_gpu else sample.planes.float()
            answer = self.net(planes)
        zero = self._rate.new_zeros(())
        weight = sample.weight / sample.weight.sum().clamp(min=TINY)
        policy = _cross_entropy(answer.policy, sample.policy, weight)
        entropy = -(torch.xlogy(sample.policy, sample.policy).sum(1) * weight).sum()
        best = answer.policy.argmax(1) == sample.policy.argmax(1)
        expected, drawn = value_losses(answer.value, sample.value)
        loss = policy + expected + drawn
        ownership = score = soft = zero
        if answer.ownership is not None:
            ownership = functional.binary_cross_entropy_with_logits(
                answer.ownership.float(), (sample.ownership.float() + 1.0) / 2.0
            )
            loss = loss + settings.ownership * ownership
        if answer.score is not None:
            score = functional.smooth_l1_loss(
                answer.score.float() / SCORE_SCALE, sample.score / SCORE_SCALE
            )
            loss = loss + settings.score * score
        if answer.soft_policy is not None:
            target = sample.policy**SOFTNESS
            soft = _cross_entropy(
                answer.soft_policy, target / target.sum(1, keepdim=True).clamp(min=TINY), weight
            )
            loss = loss + settings.soft_policy * soft
        figures = torch.stack(
            [policy - entropy, expected, ownership, score, soft, entropy, (best * weight).sum()]
        )
        return loss, figures.detach()

    def begin_with(self, weights: dict[str, Tensor]) -> list[str]:
        """Begin with the weights of another network where they fit; return which did not."""
        mine = self.net.state_dict()
        fitting = {
            name: tensor.float() if tensor.is_floating_point() else tensor
            for name, tensor in weights.items()
            if name in mine and mine[name].shape == tensor.shape
        }
        for net in (self.net, self.averaged):
            net.load_state_dict(fitting, strict=False)
        return [name for name in mine if name not in fitting]

    def _judged(self) -> tuple[Tensor, Tensor]:
        return self.figures(self._window.sample(self._places, self._symmetries))

    def _step(self) -> None:
        """Learn from the positions that were drawn."""
        self._optimizer.zero_grad(set_to_none=True)
        loss, figures = self._losses()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self._settings.clip, foreach=True)
        self._optimizer.step()
        with torch.no_grad():
            self._average(*self._pairs, None)
            self._sums.add_(figures)

    def _record(self) -> Any:
        """Return the graph of a step. Leaves everything as it was, but for the moments' memory."""
        kept = [tensor.clone() for tensor in self._changing()]
        warm_up_apart(self._step)
        graph = recorded(self._step)
        changed = self._changing()
        with torch.no_grad():
            for tensor in changed[len(kept) :]:  # moments that only the first step made
                tensor.zero_()
            for tensor, before in zip(changed, kept, strict=False):
                tensor.copy_(before)
        return graph

    def _changing(self) -> list[Tensor]:
        """Return everything that a step changes; the moments of the optimizer come last."""
        moments = [
            tensor
            for weight in self.net.parameters()
            for _, tensor in sorted(self._optimizer.state.get(weight, {}).items())
        ]
        return [
            *self.net.state_dict().values(),
            *self.averaged.state_dict().values(),
            self._sums,
            *moments,
        ]

    def state(self) -> dict[str, Any]:
        """Return all that :meth:`restore` needs, without the windows, in the machine's memory."""
        return {
            "steps": self.steps,
            "warm_steps": self.warm_steps,
            "net": _on_cpu(self.net.state_dict()),
            "averaged": _on_cpu(self.averaged.state_dict()),
            "moments": [
                _on_cpu(self._optimizer.state.get(weight, {})) for weight in self.net.parameters()
            ],
            "generator": self.generator.get_state(),
            "generator_device": self.device.type,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another learner of this shape was, on whatever device.

        Without ``"moments"`` the optimizer begins anew, with a warm-up.
        """
        self.steps = state["steps"]
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        self._optimizer.state.clear()
        self._graphs.clear()
        self.warm_steps = 0
        if "moments" in state:
            self.warm_steps = state["warm_steps"]
            for weight, found in zip(self.net.parameters(), state["moments"], strict=True):
                if found:
                    self._optimizer.state[weight] = {
                        name: tensor.to(self.device, torch.float32, copy=True)
                        if name == "step"
                        else torch.empty_like(weight).copy_(tensor)
                        for name, tensor in found.items()
                    }
        if state["generator_device"] == self.device.type:
            self.generator.set_state(state["generator"])
        else:
            self.generator.manual_seed(self._settings.seed + self.steps)


def mingled(counts: Sequence[int]) -> Iterator[int]:
    """Yield each number as often as it counts, every one of them spread evenly over the whole.

    A network whose batch norms saw one board for long would forget how others look.
    """
    places = [
        ((place + 0.5) / count, number)
        for number, count in enumerate(counts)
        for place in range(count)
    ]
    return (number for _, number in sorted(places))


def value_losses(logits: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Return how wrong logits [n, 3] are about the value expected, and about exact draws."""
    win, lost, draw = logits.float().log_softmax(1).unbind(1)
    for_player = torch.logaddexp(win, draw - HALF)
    for_other = torch.logaddexp(lost, draw - HALF)
    expected = -(value * for_player + (1.0 - value) * for_other).mean()
    drawn = torch.where(value == 0.5, draw, torch.logaddexp(win, lost))
    return expected, -drawn.mean()


def _cross_entropy(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    return -((target * logits.float().log_softmax(1)).sum(1) * weight).sum()


def _floats(net: Net) -> list[Tensor]:
    """Return weights and running means; no counters."""
    return [tensor for tensor in net.state_dict().values() if tensor.is_floating_point()]


def _on_cpu(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.detach().to("cpu", copy=True) for name, tensor in tensors.items()}
