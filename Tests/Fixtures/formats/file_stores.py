"""XML and binary stores, which are read and written as a whole."""

import base64
import datetime
import struct
import uuid
from xml.sax.saxutils import escape

from .archive import Boxed, Instance, Mutable, Null, archive, seconds
from .model import Attribute, Relationship
from .objects import complete
from .sqlite_store import metadata

VERSION = 134481920
XML_TYPES = {
    "Integer 16": "int16", "Integer 32": "int32", "Integer 64": "int64", "Boolean": "bool", "Double": "double",
    "Float": "float", "Decimal": "decimal", "Date": "date", "String": "string", "Binary": "binary", "UUID": "uuid",
    "URI": "uri", "Transformable": "transformable",
}


def _numbered(store):
    """The objects with their numbers, which are unique in the whole store."""
    return {id(item): number for number, item in enumerate(store.objects, 101)}


def _attributes(model, entity):
    """The superentity's attributes first, each entity's own by name."""
    return [
        item
        for ancestor in model.lineage(entity)
        for item in sorted(ancestor.of_kind(Attribute), key=lambda item: item.name)
        if not item.transient
    ]


def _relationships(model, entity):
    items = [item for item in model.properties(entity) if isinstance(item, Relationship)]
    return sorted(items, key=lambda item: (item.to_many, item.name))


# XML


def _text(value, attribute):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return f"{seconds(value):.20f}"
    if isinstance(value, uuid.UUID):
        return str(value).upper()
    if attribute.type == "Transformable":
        return _base64(archive(value))
    if isinstance(value, bytes):
        return _base64(value)
    if isinstance(value, str):
        return escape(_escaped(value))
    return str(value)


def _escaped(text):
    """A backslash is doubled; a character that XML lacks becomes the digits of its unit, the low byte first."""
    result = ""
    for character in text:
        if character == "\\":
            result += "\\\\"
        elif ord(character) < 32 and character not in "\t\n\r":
            result += f"\\u{ord(character) & 255:02x}{ord(character) >> 8:02x}"
        else:
            result += character
    return result


def _base64(data):
    text = base64.b64encode(data).decode()
    return "".join(text[start : start + 76] + "\n" for start in range(0, len(text), 76))


def _plist(value, indent):
    """The lines of a property list's value as Apple's XML stores have it."""
    space = " " * indent
    if isinstance(value, dict):
        lines = [f"{space}<dict>"]
        for key, part in sorted(value.items()):
            lines += [f"{space}    <key>{escape(key)}</key>", *_plist(part, indent + 4)]
        return [*lines, f"{space}</dict>"]
    if isinstance(value, list):
        return [f"{space}<array>", *(line for part in value for line in _plist(part, indent + 4)), f"{space}</array>"]
    if isinstance(value, bytes):
        return [f"{space}<data>", f"\t\t{base64.b64encode(value).decode()}", "\t\t</data>"]
    if isinstance(value, int):
        return [f"{space}<integer>{value}</integer>"]
    return [f"{space}<string>{escape(value)}</string>"]


def xml_header(identifier, last_number, information):
    """The lines of an XML store before its objects."""
    return [
        '<?xml version="1.0" standalone="no"?>',
        '<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">',
        "",
        "<database>",
        "    <databaseInfo>",
        f"        <version>{VERSION}</version>",
        f"        <UUID>{identifier}</UUID>",
        f"        <nextObjectID>{last_number}</nextObjectID>",
        "        <metadata>",
        '            <plist version="1.0">',
        *_plist(information, 16),
        "            </plist>",
        "        </metadata>",
        "    </databaseInfo>",
    ]


def xml_object(entity, number, attributes, relationships):
    """The lines of an object: attributes are (name, type, text), relationships (name, counts, destination, numbers)."""
    lines = [f'    <object type="{entity.upper()}" id="z{number}">']
    for name, type, text in attributes:
        lines.append(f'        <attribute name="{name.lower()}" type="{type}">{text}</attribute>')
    for name, counts, destination, numbers in relationships:
        references = " ".join(f"z{other}" for other in numbers)
        references = f' idrefs="{references}"' if references else ""
        lines.append(
            f'        <relationship name="{name.lower()}" type="{counts}" destination="{destination.upper()}"'
            f"{references}></relationship>"
        )
    return [*lines, "    </object>"]


def write_xml(store, path):
    """Writes an XML store."""
    model, numbers = store.model, _numbered(store)
    links = complete(model, store.objects)
    information = {key: value for key, value in metadata(store, "XML").items() if key != "NSStoreType"}
    lines = xml_header(store.identifier, max(numbers.values()), information)
    for item in store.objects:
        entity = model.by_name[item.entity]
        attributes = [
            (attribute.name, XML_TYPES[attribute.type], _text(item.values[attribute.name], attribute))
            for attribute in reversed(_attributes(model, entity))
            if item.values.get(attribute.name) is not None
        ]
        relationships = [
            (
                relationship.name,
                f"{relationship.minimum}/{relationship.maximum}",
                relationship.destination,
                [numbers[id(other)] for other in links[id(item), relationship.name]],
            )
            for relationship in _relationships(model, entity)
        ]
        lines += xml_object(item.entity, numbers[id(item)], attributes, relationships)
    path.write_text("\n".join([*lines, "</database>"]), encoding="utf-8")


# Binary


def _value(value):
    """A value in a binary store's archive; texts and numbers are plain."""
    if value is None:
        return Null
    return Boxed(value)


def write_binary(store, path):
    """Writes a binary store: a header, then the archives of the objects and of the metadata."""
    model, numbers = store.model, _numbered(store)
    links = complete(model, store.objects)
    nodes = {}
    for item in store.objects:
        entity = model.by_name[item.entity]
        relationships = _relationships(model, entity)
        values = [_value(item.values.get(attribute.name)) for attribute in _attributes(model, entity)]
        related = {}
        for relationship in relationships:
            members = [numbers[id(other)] for other in links[id(item), relationship.name]]
            if members:
                related[relationship.name] = Mutable(members) if relationship.to_many else members
        node = Instance(
            "NSDictionaryMapNode",
            ("NSStoreMapNode",),
            NSEntityName=item.entity,
            NSPrimaryKey64=numbers[id(item)],
            NSAttributeValues=values + [Null] * len(relationships),
        )
        if related:
            node.keys["NSRelatedNodes"] = Mutable(related)
        nodes[numbers[id(item)]] = node
    objects = archive(Mutable(nodes), "mapData")
    information = archive({"NSStoreUUID": store.identifier, **metadata(store, "Binary")}, "metadata")
    header = struct.pack(
        ">8sII6Q",
        b"CoreData",
        1,
        VERSION,
        64 + len(objects),
        len(information),
        64,
        len(objects),
        max(numbers.values()),
        0,
    )
    path.write_bytes(header + objects + information)
