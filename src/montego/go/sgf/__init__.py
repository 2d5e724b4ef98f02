"""Game records in SGF: from bytes to a tree, and to a record.

The public names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.go.sgf.node import Node as Node
    from montego.go.sgf.record import Record as Record
    from montego.go.sgf.record import new_record as new_record
    from montego.go.sgf.record import parse_sgf as parse_sgf
    from montego.go.sgf.record import parse_sgf_collection as parse_sgf_collection
    from montego.go.sgf.record import read_sgf_file as read_sgf_file
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "node": "Node",
            "record": "Record new_record parse_sgf parse_sgf_collection read_sgf_file",
        },
    )
