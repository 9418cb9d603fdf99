"""What callers pass: an argument of a kind that a function does not take is refused, and never taken for one.

A function says what it takes in its signature; `checks_arguments` holds callers to that before anything else
happens. Otherwise a path or None would be an AttributeError from somewhere inside, or be silently understood
as something else.
"""

from __future__ import annotations

import errno
import inspect
import json
import os
import re
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from functools import cache, wraps
from io import TextIOBase
from numbers import Integral, Real
from pathlib import Path
from typing import Any, BinaryIO, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd

from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["as_json", "check_fields", "check_option", "check_options", "checks_arguments", "checks_methods"]

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

_NUMBERS: Mapping[Any, Any] = {int: Integral, float: Real, Decimal: Decimal | Integral}
"""NumPy's numbers as well; True is no number here, and a float no exact amount."""
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_UNKEPT = re.compile("[\0\ud800-\udfff]")
"""What no database keeps: NUL, and half of a character."""
_ADDRESS = re.compile(r"(sqlite|postgres\w*)(\+\w+)?://")
"""How that of a database begins, which is no path."""

_FROM_NOTHING_ON = {"limit", "skip", "after"}
"""The parameters of methods that say how many of what is found, and from where on."""

_LONGEST = timedelta(days=36_500)
"""A century: added to any time that is meant, it stays within the calendar."""

_COLUMNS = (pd.Series, pd.Index, np.ndarray)


def checks_arguments(**advice: str | None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function refuse arguments of other kinds than its signature says.

    Args:
        advice: By parameter, what to do instead; a sentence, marked for translation. None for a parameter
            that the function itself checks, in a sentence of its own.

    Raises:
        OptionError: When it is called with such an argument, with a length of time below 0 or above a
            century or with what can be no path, without an argument that it needs or with one that it has
            not; the sentence names the parameter and what it takes, never a value.

    Example:
        >>> @checks_arguments()
        ... def double(number: int) -> int:
        ...     return 2 * number
        >>> double("2")
        Traceback (most recent call last):
        dashboard.errors.OptionError: number takes int, not str.
    """
    return lambda function: _checking(function, advice, _check)


def checks_methods(**advice: str | None) -> Callable[[C], C]:
    """Make all public methods of a class refuse arguments as `checks_arguments` does; inherited ones stay.

    What they take goes into a database, so that texts which none keeps are refused as well, and negative
    limits. A method that is already decorated is left alone.

    Example:
        >>> @checks_methods()
        ... class Counter:
        ...     def add(self, number: int) -> int:
        ...         return number + 1
        >>> Counter().add(None)
        Traceback (most recent call last):
        dashboard.errors.OptionError: number takes int, not None.
    """

    def checking(kind: C) -> C:
        for name, method in list(vars(kind).items()):
            if inspect.isfunction(method) and not name.startswith("_") and not hasattr(method, "__wrapped__"):
                setattr(kind, name, _checking(method, advice, _check_kept))
        return kind

    return checking


def check_fields(instance: Any) -> None:
    """Refuse an instance of a dataclass whose fields are of other kinds than it says.

    Raises:
        OptionError: One is.
    """
    hints = _hints_of(instance.__class__)
    for field in fields(instance):
        _check(field.name, getattr(instance, field.name), hints[field.name], "")


def check_option(name: str, value: object, allowed: Collection[object]) -> None:
    """Refuse a value that is not one of those allowed.

    Raises:
        OptionError: It is not; the sentence lists those that are.

    Example:
        >>> check_option("keep", "first", ("first", "last"))
    """
    if not _is_one_of(value, allowed):
        raise OptionError(
            _("{name} must be {values}.").format(name=name, values=" / ".join(map(repr, allowed)))
        )


def check_options(name: str, values: Iterable[object], allowed: Collection[object]) -> None:
    """Refuse a collection that is empty, a single text, or holds anything but the values allowed.

    Raises:
        OptionError: It is; the sentence lists the values.
    """
    given = [] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    if not given or not all(_is_one_of(one, allowed) for one in given):
        raise OptionError(
            _("{name} must be a collection of at least one of these: {values}.").format(
                name=name, values=", ".join(map(str, allowed))
            )
        )


def as_json(name: str, value: object) -> str:
    """An argument as JSON, with NumPy's numbers as plain ones.

    Raises:
        OptionError: JSON cannot hold it.

    Example:
        >>> as_json("counts", {"ok": np.int64(3)})
        '{"ok": 3}'
    """
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False, default=np.generic.item)
    except (TypeError, ValueError, RecursionError):  # swallowed entirely, because it may quote the value
        raise OptionError(
            _("{name} holds something that JSON cannot. Use texts, numbers, lists and dicts.").format(
                name=name
            )
        ) from None


def _checking(
    function: Callable[P, R], advice: Mapping[str, str | None], check: Callable[[str, object, Any, str], None]
) -> Callable[P, R]:
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in _bound(function, signature, args, kwargs).items():
            said = advice.get(name, "")
            if said is not None:
                check(name, value, _hints_of(function).get(name, Any), said)
        return function(*args, **kwargs)

    return checked


def _bound(
    function: Callable[..., Any], signature: inspect.Signature, args: Any, kwargs: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The arguments by parameter.

    Raises:
        OptionError: One is missing, or is of no parameter.
    """
    try:
        return signature.bind(*args, **kwargs).arguments
    except TypeError:
        own = [one for one in signature.parameters.values() if one.kind not in _ANY_NUMBER]
    given = {*kwargs, *(one.name for one in own[: len(args)] if one.kind is not one.KEYWORD_ONLY)}
    missing = [one.name for one in own if one.default is one.empty and one.name not in given]
    takes = ", ".join(
        f"{one.name}=…" if one.kind is one.KEYWORD_ONLY else one.name for one in own if one.name != "self"
    )
    if missing:
        sentence = _("{function} needs {missing}. It takes {names}.")
    elif takes:
        sentence = _("{function} takes {names}, each once, and nothing else.")
    else:
        sentence = _("{function} takes nothing. Call it without anything in its parentheses.")
    raise OptionError(
        sentence.format(function=function.__name__, missing=", ".join(missing), names=takes)
    ) from None


def _check(name: str, value: Any, hint: Any, advice: str) -> None:
    if _fits(value, hint):
        lengths = [value] if hint is timedelta else value if hint == Sequence[timedelta] else ()
        if not all(timedelta() <= one <= _LONGEST for one in lengths):
            sentence = _("{name} must be between 0 and {days} days.")
            raise OptionError(sentence.format(name=name, days=_LONGEST.days))
        if isinstance(value, str | Path):
            _check_path(name, value, hint)
        return
    if hint is bool or get_origin(hint) is Literal:
        check_option(name, value, (True, False) if hint is bool else get_args(hint))
    sentence = _("{name} takes {kinds}, not {given}.").format(
        name=name, kinds=_named(hint), given=_kind_of(value, hint)
    )
    raise OptionError(f"{sentence} {_(advice)}" if advice else sentence)


def _check_path(name: str, value: str | Path, hint: Any) -> None:
    """Refuse what can be no path where one is taken: errors quote it, and it may be a file's content."""
    kinds = _kinds_of(hint)
    if Path not in kinds or _ADDRESS.match(str(value)):
        return
    try:
        os.lstat(value)
    except OSError as error:
        if error.errno not in {errno.ENAMETOOLONG, errno.EINVAL}:
            return
    except ValueError:  # a NUL, or half of a character
        pass
    else:
        return
    sentence = _("{name} cannot be a path: it is too long or contains a character that no path can.")
    if bytes in kinds:
        sentence = _("{name} is not the path of a file. Give the content of a file as bytes, or its path.")
    raise OptionError(sentence.format(name=name))


def _check_kept(name: str, value: object, hint: Any, advice: str) -> None:
    _check(name, value, hint, advice)
    is_many = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
    texts: Any = value if is_many and not _fits([object()], hint) else [value]
    if any(isinstance(one, str) and _UNKEPT.search(one) for one in texts):
        raise OptionError(
            _("{name} has a character that cannot be kept: a NUL, or half of one. Take it out.").format(
                name=name
            )
        )
    if name in _FROM_NOTHING_ON and isinstance(value, Integral) and int(value) < 0:
        raise OptionError(_("{name} must be 0 or more.").format(name=name))


@cache
def _kinds_of(hint: Any) -> tuple[Any, ...]:
    return hint, *get_args(hint)


@cache
def _hints_of(described: Any) -> Mapping[str, Any]:
    return get_type_hints(described)


def _is_one_of(value: object, allowed: Collection[object]) -> bool:
    return any(type(value) is type(one) and value == one for one in allowed)


def _fits(value: object, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in {Union, types.UnionType}:
        return any(_fits(value, each) for each in get_args(hint))
    if origin is Literal:
        return _is_one_of(value, get_args(hint))
    if origin is Callable or origin is type:
        return callable(value)
    if origin is not None:
        return _is_collection(value, origin) and _has_such_elements(value, origin, get_args(hint))
    return _is_of(value, hint)


def _is_of(value: object, kind: Any) -> bool:
    if kind is type(None) or kind is None:
        return value is None
    if kind in _NUMBERS:
        return isinstance(value, _NUMBERS[kind]) and not isinstance(value, bool)
    if kind is BinaryIO:
        return (hasattr(value, "read") or hasattr(value, "write")) and not isinstance(value, TextIOBase)
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True  # Any, or something that says itself what is missing
    if isinstance(value, type(pd.NaT)):  # which claims to be a time
        return kind is object
    return isinstance(value, dict if hasattr(kind, "__total__") else kind)


def _is_collection(value: object, origin: type) -> bool:
    """Whether it is such a collection; a text is none, a frame only by name, and a column is any sequence."""
    if isinstance(value, str | bytes | pd.DataFrame) and origin is not type(value):
        return False
    return isinstance(value, origin) or (origin is Sequence and isinstance(value, _COLUMNS))


def _has_such_elements(value: Any, origin: type, hints: Sequence[Any]) -> bool:
    """Whether all elements are of these kinds, as far as they can be seen without using them up."""
    if isinstance(value, Mapping):
        keys, elements = (hints[0], hints[1] if issubclass(origin, Mapping) else Any) if hints else (Any, Any)
        return all(_fits(key, keys) and _fits(one, elements) for key, one in value.items())
    if origin is tuple and Ellipsis not in hints:
        return len(value) == len(hints) and all(map(_fits, value, hints))
    if not isinstance(value, Collection) or hints[:1] in {(), (object,)}:
        return True
    if isinstance(hints[0], type) and hints[0] is not BinaryIO:  # then elements of one type fit alike
        value = {type(one): one for one in value}.values()
    return all(_fits(one, hints[0]) for one in value)


def _named(hint: Any) -> str:
    """A hint as a person reads it: "int or None", "Sequence of Variant"."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return " / ".join(_named(each) for each in args)
    if origin is Literal:
        return " / ".join(map(repr, args))
    if origin is None or origin is Callable or origin is type or origin is np.ndarray:
        return "None" if hint is type(None) else getattr(origin or hint, "__name__", str(hint))
    inside = ", ".join(_named(each) for each in args if each is not Ellipsis)
    return f"{origin.__name__}[{inside}]"


def _kind_of(value: object, hint: Any) -> str:
    """The kind of a value; of a collection whose elements do not fit, their kinds as well."""
    kind = "None" if value is None else type(value).__name__
    if isinstance(value, list | tuple | set | frozenset) and _named(hint) != kind:
        return f"{kind}[{', '.join(dict.fromkeys(type(one).__name__ for one in value))}]"
    if isinstance(value, dict):
        pairs = dict.fromkeys(f"{type(key).__name__}, {type(one).__name__}" for key, one in value.items())
        return f"{kind}[{' / '.join(pairs)}]"
    return kind
