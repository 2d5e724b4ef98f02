"""The flag ``--cluster``: many machines for a search, or for games and trials.

Nothing of the cluster is loaded before somebody asks for one.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.cli.command import Namespace, argument
from montego.cli.output import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.arena.workers import Venue
    from montego.cluster.cluster import Cluster
    from montego.engine.options.options import Options

PLACES = "local:N for N processes on this machine, auto, ray://HOST:PORT or HOST:PORT"

CLUSTER = argument(
    "--cluster WHERE", f"search on several machines that share what they find: {PLACES}"
)
SPREAD = argument("--cluster WHERE", f"spread over several machines: {PLACES}")


def search_cluster_of(
    arguments: Namespace, options: Options, say: Callable[[str], None]
) -> tuple[Cluster | None, Options]:
    """Return the cluster that a command asks for, if it does, and the options of its player.

    It is joined in the background; *say* gets what goes wrong. Searches on one machine share its
    cores, unless threads were named or there is a limit.

    Raises:
        ClusterError: If it makes no sense, or Ray is not installed.
    """
    if arguments.cluster is None:
        return None, options
    from montego.cluster.cluster import local_threads, search_cluster
    from montego.cluster.spec import parse_cluster

    spec = parse_cluster(arguments.cluster)
    threads = local_threads(spec)
    if threads is not None and options.threads is None and not options.has_limit:
        options = options.replace(threads=threads)
    return search_cluster(spec, options, say), options


@contextmanager
def venue_of(arguments: Namespace, each: int) -> Iterator[Venue | None]:
    """Give the tables that a command asks for, if it does: *each* on every machine.

    Raises:
        ClusterError: If it makes no sense, or Ray is not installed.
    """
    if arguments.cluster is None:
        yield None
        return
    from montego.cluster.cluster import spread_cluster
    from montego.cluster.games import ClusterVenue
    from montego.cluster.spec import parse_cluster

    spec = parse_cluster(arguments.cluster)
    with spread_cluster(spec, "table", tell, each=each) as cluster:
        yield ClusterVenue(cluster)
