"""The other end of GTP: any engine as a process (:mod:`~montego.gtp.client.engine`, read it first).

:mod:`~montego.gtp.client.adviser` asks such an engine for advice while Montego thinks.
"""

from montego.gtp.client.engine import Engine as Engine
from montego.gtp.client.engine import EngineError as EngineError
from montego.gtp.client.engine import Fault as Fault
from montego.gtp.client.engine import split_command as split_command
