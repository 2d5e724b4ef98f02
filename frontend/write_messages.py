"""Writes the server's messages as TypeScript: ``python frontend/write_messages.py``.

``frontend/src/messages.ts`` is made from the structs of :mod:`montego.web.messages.requests` and
:mod:`montego.web.messages.replies`, so that page and server cannot disagree. What a page receives
is complete; what it sends may leave out fields with a default.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args, get_origin

import msgspec.inspect as shapes
from msgspec import Struct

from montego.web.messages import replies, requests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

FILE = Path(__file__).resolve().parent / "src" / "messages.ts"
_HEADER = "// Written by `python frontend/write_messages.py` from the server's. Do not edit.\n\n"
_MODULES = (requests, replies)

Docs = dict[tuple[str, str], str]
"""Docstrings by class and field; a class's own and a constant's have no field."""


def messages_as_typescript() -> str:
    """Return the whole file: constants, names of choices, one interface a struct, the unions."""
    docs = _docstrings()
    literals = {
        frozenset(get_args(value)): name
        for module in _MODULES
        for name, value in _own(module)
        if get_origin(value) is Literal
    }
    blocks = []
    for module in _MODULES:
        for name, value in _own(module):
            if isinstance(value, int):
                declaration = f"export const {name} = {value};"
            elif get_origin(value) is Literal:
                declaration = f"export type {name} = {_choices(get_args(value))};"
            elif inspect.isclass(value) and issubclass(value, Struct):
                declaration = _interface(value, docs, literals)
            else:
                continue
            blocks.append(_comment(docs.get((name, "")), "") + declaration)
    blocks.append(_union("Request", "Everything a page may send.", requests.Request))
    blocks.append(_union("Reply", "Everything a page may receive.", replies.Reply))
    return _HEADER + "\n\n".join(blocks) + "\n"


def _own(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield the public names that a module defines itself, in the order of its source."""
    tree = ast.parse(inspect.getsource(module))
    for statement in tree.body:
        match statement:
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                if not name.startswith("_"):
                    yield name, getattr(module, name)


def _docstrings() -> Docs:
    """Collect the docstrings of structs, and those that stand below fields and constants."""
    docs: Docs = {}
    for module in _MODULES:
        tree = ast.parse(inspect.getsource(module))
        _collect(tree.body, "", docs)
        for statement in tree.body:
            if isinstance(statement, ast.ClassDef):
                if text := ast.get_docstring(statement):
                    docs[statement.name, ""] = text
                _collect(statement.body, statement.name, docs)
    return docs


def _collect(body: list[ast.stmt], owner: str, docs: Docs) -> None:
    """Note the strings that directly follow an assignment, under its name."""
    for statement, following in itertools.pairwise(body):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                match following:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        docs[(owner, name) if owner else (name, "")] = inspect.cleandoc(text)


def _interface(struct: type[Struct], docs: Docs, literals: dict[frozenset[str], str]) -> str:
    """Return the interface of a struct; its tag becomes the literal type of ``type``."""
    shape = shapes.type_info(struct)
    assert isinstance(shape, shapes.StructType)  # noqa: S101 - for the type checker
    sent = struct.__module__ == requests.__name__ and shape.tag is not None
    lines = [f"export interface {struct.__name__} {{"]
    if shape.tag is not None:
        lines.append(f"  {shape.tag_field}: {json.dumps(shape.tag)};")
    for field in shape.fields:
        told = [docs.get((owner.__name__, field.name)) for owner in struct.__mro__]
        lines.append(_comment(next(filter(None, told), None), "  ").rstrip("\n"))
        written = _Writer(literals, partial=sent).type_text(field.type)
        left_out = not field.required and (sent or struct.__struct_config__.omit_defaults)
        lines.append(f"  {field.encode_name}{'?' if left_out else ''}: {written};")
    return "\n".join([line for line in lines if line] + ["}"])


class _Writer:
    """Writes types; with *partial*, parts of a message may leave out what has a default."""

    def __init__(self, literals: dict[frozenset[str], str], *, partial: bool) -> None:
        self._literals: Final = literals
        self._partial: Final = partial

    def type_text(self, shape: shapes.Type) -> str:
        """Return the TypeScript of a type.

        Raises:
            TypeError: If messages cannot have such a field yet.
        """
        match shape:
            case shapes.StrType():
                return "string"
            case shapes.IntType() | shapes.FloatType():
                return "number"
            case shapes.BoolType():
                return "boolean"
            case shapes.NoneType():
                return "null"
            case shapes.LiteralType(values=values):
                texts = tuple(str(value) for value in values)
                return self._literals.get(frozenset(texts)) or _choices(texts)
            case shapes.StructType(cls=cls):
                return f"Partial<{cls.__name__}>" if self._partial else cls.__name__
            case shapes.UnionType(types=types):
                return " | ".join(self.type_text(part) for part in types)
            case shapes.ListType(item_type=item):
                text = self.type_text(item)
                return f"({text})[]" if " " in text else f"{text}[]"
            case shapes.TupleType(item_types=items):
                return f"[{', '.join(self.type_text(item) for item in items)}]"
            case shapes.DictType(value_type=value):
                return f"Record<string, {self.type_text(value)}>"
            case _:
                raise TypeError(f"no TypeScript is known for {shape}")


def _union(name: str, doc: str, union: object) -> str:
    """Return the type of all messages of one direction, told apart by ``type``."""
    members = "".join(f"\n  | {member.__name__}" for member in get_args(union))
    return _comment(doc, "") + f"export type {name} ={members};"


def _choices(values: tuple[str, ...]) -> str:
    return " | ".join(json.dumps(value) for value in values)


def _comment(text: str | None, indent: str) -> str:
    """Return a docstring as a comment with its line end, or nothing."""
    if not text:
        return ""
    lines = text.replace("``", "`").replace(":class:", "").splitlines()
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


if __name__ == "__main__":
    FILE.write_text(messages_as_typescript(), encoding="utf-8")
