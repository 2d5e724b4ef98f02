"""Options from a file: TOML, with the names of the command line.

Tables are for people who like order; in any of them an option has the same name. Names of files
are relative to the folder of the file that they stand in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from montego.engine.options.option import InvalidOption, expand_home
from montego.engine.options.table import SECTIONS, find_option

if TYPE_CHECKING:
    from montego.engine.knowledge.tuning import Value


def read_options(path: str | Path) -> dict[str, Value]:
    """Return the options that a file sets, for ``Options().replace(**found)``.

    Raises:
        InvalidOption: If the file cannot be read, or something in it is no option or no value of
            one. The message says what and suggests a name.
    """
    import tomllib  # noqa: PLC0415  # Only who has such a file waits for it.

    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "no text file"
        raise InvalidOption(f"cannot read {str(path)!r}: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(f"{path}: {error}") from None
    entries = [(name, value) for name, value in content.items() if not isinstance(value, dict)]
    for section, table in content.items():
        if isinstance(table, dict):
            if section not in SECTIONS:
                raise InvalidOption(
                    f"{path}: unknown table [{section}]: say one of {', '.join(SECTIONS)}, or none"
                )
            entries += table.items()
    found: dict[str, Value] = {}
    for name, value in entries:
        try:
            key, checked = _read(name, value, Path(path).parent)
        except InvalidOption as error:
            raise InvalidOption(f"{path}: {error}") from None
        if key in found:
            raise InvalidOption(f"{path}: {find_option(name).name} is set twice")
        found[key] = checked
    return found


def _read(name: str, value: object, folder: Path) -> tuple[str, Value]:
    option = find_option(name)
    if isinstance(value, str):
        if option.kind in ("file", "path") and value.lower() not in (option.absent, "default"):
            value = str(folder / expand_home(value))
        return option.key, option.parse(value)
    if value is False and option.absent == "off":
        return option.key, None
    return option.key, option.check(value)
