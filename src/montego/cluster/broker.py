"""The process that knows Ray: it starts or joins a cluster, and passes calls to its machines.

Ray ends a process that has lost its cluster, logs where it likes and has threads of its own. None
of that may happen to a program in the middle of a game: so it happens here, and the program hears
by a pipe whatever becomes of it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.cluster.errors import ClusterError
from montego.cluster.host import Host, Refusal, identity
from montego.cluster.spec import AUTO, LOCAL

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from multiprocessing.connection import Connection

    from montego.cluster.spec import ClusterSpec

LOOK_EVERY = 10.0
"""Seconds between two looks for machines that have joined."""
REACH_SECONDS = 10.0
HINT = "if it wants a token, copy ~/.ray/auth_token from its head, and set RAY_AUTH_MODE=token"
"""What may be missing where a cluster does not answer. Ray shows its token to no address that is
named, unless it is told to, because whoever listens there would have it; so it is not told here."""
OBJECT_STORE = 100 << 20
"""Bytes of shared memory for a cluster of this machine alone; tables take some kilobytes."""


class Demand(NamedTuple):
    """What is wanted of a cluster."""

    spec: ClusterSpec
    kind: str
    """As :func:`montego.cluster.host.make` has it."""
    settings: Mapping[str, Any]
    each: int | None
    """How many on each machine; None for one a core."""
    helps: bool
    """Whether they help this process, which does as much itself: one less on its machine."""


class Call(NamedTuple):
    """Something asked of a host."""

    number: int
    host: str
    method: str
    arguments: tuple[Any, ...]


class Reply(NamedTuple):
    """What came of a call."""

    number: int
    answer: Any
    lost: str = ""
    """Why there is no answer, if there is none."""
    raised: bool = False
    """Whether that is because what was called has failed: another time it would again."""


class Joined(NamedTuple):
    """A host that can be called from now on."""

    host: str
    process: int


class Started(NamedTuple):
    """The cluster is there, with so many hosts to come at first."""

    hosts: int


class Told(NamedTuple):
    """A line for people."""

    text: str


class Failed(NamedTuple):
    """There is no cluster, and why."""

    reason: str


def serve(pipe: Connection, demand: Demand) -> None:
    """Be the broker until nobody listens. The body of its process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError):  # Windows has none.
        os.setsid()
    # What Ray prints is for people who look after clusters, and a protocol may be on these.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    broker = _Broker(pipe, demand)
    try:
        broker.start()
        broker.work()
    except (EOFError, OSError):
        pass
    except Exception as error:  # noqa: BLE001  # Whatever it is, somebody has to be told.
        broker.send(Failed(_line(error)))
    finally:
        broker.close()
        os._exit(0)


@dataclass
class _Machine:
    """A node of Ray's."""

    node: str
    name: str
    cores: int
    hosts: int = 0


class _Broker:
    def __init__(self, pipe: Connection, demand: Demand) -> None:
        self._pipe = pipe
        self._demand = demand
        self._lock = threading.Lock()
        self._ray: Any = None
        self._own_node: str | None = None
        self._machines: dict[str, _Machine] = {}
        self._actors: dict[str, Any] = {}
        self._identity = identity()

    def send(self, message: object) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._pipe.send(message)

    def start(self) -> None:
        """Start a cluster of this machine alone, or join one."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Nobody is told of our games.
        if self._demand.spec.place == LOCAL:
            # Ray listens to other machines unless it thinks that there cannot be any; whoever
            # reaches its ports may run what they like.
            os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
            # What searches beside this process is worth as much as it.
            os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # Its name.
        import ray  # noqa: PLC0415  # An extra, which takes a second to load.

        self._ray = ray
        place = self._demand.spec.place
        quiet: dict[str, Any] = {
            "include_dashboard": False,
            "log_to_driver": False,
            "logging_level": "ERROR",
        }
        if place == LOCAL:
            os.environ.pop("RAY_ADDRESS", None)
            ray.init(
                address="local",
                num_cpus=self._demand.spec.count,
                object_store_memory=OBJECT_STORE,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
        else:
            del quiet["include_dashboard"]
            address = os.environ.get("RAY_ADDRESS") or "auto" if place == AUTO else place
            try:
                _reach(address)
            except OSError as error:
                raise ClusterError(f"no cluster at {address}: {_line(error)}") from None
            try:
                ray.init(address=address, **quiet)
            except Exception as error:  # noqa: BLE001  # Ray raises all kinds.
                # What it says of tokens is a paragraph.
                is_about_tokens = type(error).__name__ == "AuthenticationError"
                reason = "no token was found" if is_about_tokens else _line(error)
                raise ClusterError(f"no cluster at {address}: {reason}; {HINT}") from None
            if not address.startswith("ray://"):
                self._own_node = ray.get_runtime_context().get_node_id()
        self._look(is_first=True)
        threading.Thread(target=self._keep_looking, daemon=True).start()

    def work(self) -> None:
        """Pass calls on until the other end is closed."""
        while (call := self._pipe.recv()) is not None:
            self._pass_on(call)

    def close(self) -> None:
        """Give back what was taken from the cluster, and end one that was started here."""
        with contextlib.suppress(Exception):
            for actor in self._actors.values():
                self._ray.kill(actor)
            self._ray.shutdown()

    def _keep_looking(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_EVERY):
            with contextlib.suppress(Exception):  # The next look may find more.
                self._look()

    def _look(self, *, is_first: bool = False) -> None:
        """Make hosts on machines that have none yet."""
        wanted: list[tuple[_Machine, int]] = []
        for node in self._ray.nodes():
            key = node["NodeID"]
            if not node["Alive"]:
                self._machines.pop(key, None)
                continue
            if key not in self._machines:
                cores = int(node["Resources"].get("CPU", 0)) or 1
                taken = {machine.name for machine in self._machines.values()}
                self._machines[key] = _Machine(key, name_of(node, taken), cores)
                wanted.append((self._machines[key], self._count(key, cores)))
        if is_first:
            self.send(Started(sum(hosts for _, hosts in wanted)))
        for machine, hosts in wanted:
            for _ in range(hosts):
                machine.hosts += 1
                threading.Thread(target=self._invite, args=(machine, machine.hosts)).start()

    def _count(self, node: str, cores: int) -> int:
        """Return how many hosts a machine is to have."""
        spec, demand = self._demand.spec, self._demand
        if spec.place == LOCAL:
            return spec.count - int(demand.helps)
        own = int(demand.helps and node == self._own_node)
        return max((cores if demand.each is None else demand.each) - own, 0)

    def _invite(self, machine: _Machine, number: int) -> None:
        """Make a host, and see whether it is one of ours. In a thread of its own."""
        ray = self._ray
        from ray.util.scheduling_strategies import (  # noqa: PLC0415
            NodeAffinitySchedulingStrategy,
        )

        name = f"{machine.name}/{number}"
        place = NodeAffinitySchedulingStrategy(node_id=machine.node, soft=False)
        settings = dict(self._demand.settings)
        if self._demand.kind == "search":
            settings["number"] = len(self._machines) * 1000 + number
        try:
            # Ray starts one that has died anew, as often as it takes.
            shell = ray.remote(num_cpus=0, max_restarts=-1, scheduling_strategy=place)(Host)
            actor = shell.remote(self._demand.kind, settings)
            found = ray.get(actor.identity.remote())
        except Exception as error:  # noqa: BLE001  # Others may be well.
            self.send(Told(f"{name} is left out: {_line(error)}"))
            return
        if difference := self._identity.difference(found):
            ray.kill(actor)
            self.send(Told(f"{name} is left out: {difference}"))
            return
        self._actors[name] = actor
        self.send(Joined(name, found.process))

    def _pass_on(self, call: Call) -> None:
        actor = self._actors[call.host]

        def answer(future: Any) -> None:
            try:
                found = future.result()
            except Exception as error:  # noqa: BLE001  # Lost, restarting, or an error of ours.
                reply = Reply(call.number, None, _line(error))
            else:
                reply = Reply(call.number, found)
                if isinstance(found, Refusal):
                    reply = Reply(call.number, None, found.reason, raised=True)
            self.send(reply)

        try:
            reference = actor.call.remote(call.method, call.arguments)
            reference.future().add_done_callback(answer)
        except Exception as error:  # noqa: BLE001  # As above.
            self.send(Reply(call.number, None, _line(error)))


def name_of(node: Mapping[str, Any], taken: Collection[str]) -> str:
    """Return what a node of Ray's is called: as its host, and by more where that name is taken."""
    host, address = node["NodeManagerHostname"], node["NodeManagerAddress"]
    names = (host, f"{host} at {address}", f"{host} at {address}, {node['NodeID'][:8]}")
    return next((name for name in names if name not in taken), names[-1])


def _reach(address: str) -> None:
    """See whether anybody listens at an address: Ray itself would try for minutes.

    Raises:
        OSError: If nobody does.
    """
    host, separator, port = address.removeprefix("ray://").rpartition(":")
    if separator and port.isdecimal():
        socket.create_connection((host, int(port)), REACH_SECONDS).close()


def _line(error: BaseException) -> str:
    """Return an error in one line: what was raised there, where Ray says so."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        error = cause
    if type(error).__name__ in {"ActorDiedError", "ActorUnavailableError", "RayActorError"}:
        return "its process has ended"
    if type(error).__name__ == "ActorUnschedulableError":
        return "its machine is gone"
    text = " ".join(str(error).split())
    return text[:300] or type(error).__name__
