"""Keyed archives: binary property lists of objects that refer to each other by number.

An `Instance` is an object with a class; its numbers and booleans are written in place, everything else by reference.
Python's lists, dictionaries, sets, texts, bytes, dates, UUIDs and decimals become Foundation's objects.
"""

import datetime
import decimal
import plistlib
import struct
import uuid
from plistlib import UID

REFERENCE_DATE = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def seconds(date):
    """A date as seconds since 2001, as all formats store it."""
    return (date - REFERENCE_DATE).total_seconds()


class Instance:
    """An object of an archive; `keys` may be filled after other objects refer to it."""

    def __init__(self, name, bases=(), **keys):
        self.classes = [name, *bases, "NSObject"]
        self.keys = keys


class Mutable:
    """A list, a dictionary or a text that is archived as the mutable subclass."""

    def __init__(self, value):
        self.value = value


class Boxed:
    """A value that is referred to even if it is a number."""

    def __init__(self, value):
        self.value = value


class URL(str):
    """A text that is archived as an NSURL."""


class ObjectSet:
    """An NSSet of objects, in the given order."""

    def __init__(self, members):
        self.members = members


class Null:
    """NSNull, in contrast to None, which is a reference to nothing."""


def plain_list(data):
    """A binary property list of the value, with sorted keys."""
    return plistlib.dumps(data, fmt=plistlib.FMT_BINARY, sort_keys=True)


class _Writer:
    def __init__(self):
        self.objects = ["$null"]
        self.places = {}
        self.kept = []

    def add(self, key, value):
        """Adds a value without references, once for all its uses."""
        if key not in self.places:
            self.places[key] = len(self.objects)
            self.objects.append(value)
        return UID(self.places[key])

    def class_of(self, classes):
        return self.add(("class", *classes), {"$classname": classes[0], "$classes": list(classes)})

    def instance(self, value, classes, keys):
        """Adds an object: its number is reserved first, because its parts may refer to it."""
        if id(value) in self.places:
            return UID(self.places[id(value)])
        place = self.places[id(value)] = len(self.objects)
        self.kept.append(value)
        self.objects.append(None)
        record = {key: self.part(part) for key, part in keys.items()}
        record["$class"] = self.class_of(classes)
        self.objects[place] = record
        return UID(place)

    def part(self, value):
        """The value of an object's key: in place, or a reference."""
        if isinstance(value, _List):
            return [self.reference(item) for item in value]
        if isinstance(value, _InPlace):
            return value.value
        if isinstance(value, (bool, int, float)):
            return value
        return self.reference(value)

    def reference(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, Boxed):
            return self.reference(value.value)
        if isinstance(value, Instance):
            return self.instance(value, value.classes, value.keys)
        if isinstance(value, URL):
            return self.instance(value, ["NSURL", "NSObject"], {"NS.base": None, "NS.relative": str(value)})
        if isinstance(value, (bool, int, float, str, bytes)):
            return self.add((type(value), value), value)
        if value is Null:
            return self.instance(value, ["NSNull", "NSObject"], {})
        if isinstance(value, uuid.UUID):
            return self.instance(value, ["NSUUID", "NSObject"], {"NS.uuidbytes": _InPlace(value.bytes)})
        if isinstance(value, datetime.datetime):
            return self.instance(value, ["NSDate", "NSObject"], {"NS.time": seconds(value)})
        if isinstance(value, decimal.Decimal):
            classes = ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
            return self.instance(value, classes, _decimal_keys(value))
        return self.collection(value)

    def collection(self, value):
        if isinstance(value, ObjectSet):
            return self.instance(value, ["NSSet", "NSObject"], {"NS.objects": _List(value.members)})
        contents = value.value if isinstance(value, Mutable) else value
        name = {str: "String", list: "Array", dict: "Dictionary", set: "Set"}[type(contents)]
        classes = [f"NS{name}", "NSObject"]
        if isinstance(value, Mutable):
            classes.insert(0, f"NSMutable{name}")
        if isinstance(contents, str):
            keys = {"NS.string": _InPlace(contents)}
        elif isinstance(contents, dict):
            keys = {"NS.keys": _List(contents), "NS.objects": _List(contents.values())}
        elif isinstance(contents, set):
            keys = {"NS.objects": _List(sorted(contents))}
        else:
            keys = {"NS.objects": _List(contents)}
        return self.instance(value, classes, keys)


class _List(list):
    """References in a list of the archive itself."""


class _InPlace:
    def __init__(self, value):
        self.value = value


def _decimal_keys(value):
    """A decimal number as NSDecimal holds it: up to eight units of 16 bits, the lowest first, in the byte order 1."""
    sign, digits, exponent = value.as_tuple()
    mantissa = int("".join(map(str, digits)))
    units = []
    while mantissa:
        mantissa, unit = divmod(mantissa, 0x10000)
        units.append(unit)
    return {
        "NS.mantissa": _InPlace(struct.pack("<8H", *units, *[0] * (8 - len(units)))),
        "NS.mantissa.bo": 1,
        "NS.exponent": exponent,
        "NS.length": len(units),
        "NS.negative": bool(sign),
        "NS.compact": False,
    }


def archive(root, top="root"):
    """The archive of an object."""
    writer = _Writer()
    reference = writer.reference(root)
    return plistlib.dumps(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {top: reference}, "$objects": writer.objects},
        fmt=plistlib.FMT_BINARY,
        sort_keys=True,
    )
