"""Mapping models: `.xcmappingmodel` as Xcode's editor stores them, and compiled `.cdm`."""

import base64
from dataclasses import dataclass, field

from . import expressions
from .archive import Instance, Mutable, archive
from .editor import editor_model
from .file_stores import xml_header, xml_object

CUSTOM, ADD, REMOVE, COPY, TRANSFORM = range(1, 6)


@dataclass
class Mapped:
    """A property's mapping; without an expression the compiler generates one."""

    name: str
    expression: Instance = None
    # Of a relationship: the entity mapping that made the destination's objects, and the source's path.
    mapping: str = None
    path: str = None


@dataclass
class EntityMapping:
    source: str
    destination: str
    attributes: list = field(default_factory=list)
    relationships: list = field(default_factory=list)
    filter: str = None
    policy: str = None

    @property
    def name(self):
        if self.source and self.destination:
            return f"{self.source}To{self.destination}"
        return self.source or self.destination


def source_value(path):
    """`$source.path`"""
    return expressions.key_path(path, expressions.variable("source"))


def related(selector, first, path):
    """The destination's objects that a mapping made of related source objects."""
    return expressions.call(
        expressions.variable("manager"), selector, expressions.constant(first), source_value(path)
    )


def by_mapping(mapping, path):
    return related("destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, path)


def by_relationship(name):
    return related("destinationInstancesForSourceRelationshipNamed:sourceInstances:", name, name)


# Xcode's file


def write_source(mappings, source, destination, path, identifier, removed=()):
    """Writes an `.xcmappingmodel`; source and destination are pairs of a model and its path.

    Objects of removed entity mappings stay in the file, but belong to no mapping model.
    """
    numbers = {"model": 101}
    objects = []

    def number(key):
        return numbers.setdefault(key, 101 + len(numbers))

    for place, mapping in enumerate(mappings, 1):
        attributes = [
            ("migrationpolicyclassname", "string", mapping.policy),
            ("sourcefilterpredicatestring", "string", mapping.filter),
            ("sourcename", "string", mapping.source),
            ("mappingtypename", "string", "Undefined"),
            ("mappingnumber", "int16", str(place)),
            ("destinationname", "string", mapping.destination),
            ("autogenerateexpression", "bool", "1"),
        ]
        relationships = [("mappingmodel", "1/1", "XDDevMappingModel", [101])]
        for kind, members in [("Attribute", mapping.attributes), ("Relationship", mapping.relationships)]:
            keys = [number((mapping.name, member.name)) for member in members]
            relationships.append((f"{kind}mappings", "0/0", f"XDDev{kind}Mapping", keys))
        objects.append(("XDDevEntityMapping", number(mapping.name), attributes, relationships))
        for kind, members in [("Attribute", mapping.attributes), ("Relationship", mapping.relationships)]:
            for member in members:
                values = [
                    ("valueexpressiondata", "binary", member.expression and _base64(archive(member.expression))),
                    ("sourcemappingname", "string", member.mapping),
                    ("sourcekeypath", "string", member.path and f"$source.{member.path}"),
                    ("name", "string", member.name),
                ]
                back = [("entitymapping", "1/1", "XDDevEntityMapping", [number(mapping.name)])]
                objects.append((f"XDDev{kind}Mapping", number((mapping.name, member.name)), values, back))
    objects.append(
        (
            "XDDevMappingModel",
            101,
            [
                ("sourcemodelpath", "string", source[1]),
                ("sourcemodeldata", "binary", _base64(editor_model(source[0]))),
                ("destinationmodelpath", "string", destination[1]),
                ("destinationmodeldata", "binary", _base64(editor_model(destination[0]))),
            ],
            [("entitymappings", "0/0", "XDDevEntityMapping", [number(mapping.name) for mapping in mappings])],
        )
    )
    for mapping in removed:
        attributes = [
            ("sourcename", "string", mapping.source),
            ("mappingtypename", "string", "Undefined"),
            ("mappingnumber", "int16", "1"),
            ("destinationname", "string", mapping.destination),
            ("autogenerateexpression", "bool", "1"),
        ]
        relationships = [("mappingmodel", "1/1", "XDDevMappingModel", [])]
        for kind in ["Attribute", "Relationship"]:
            relationships.append((f"{kind}mappings", "0/0", f"XDDev{kind}Mapping", []))
        objects.append(("XDDevEntityMapping", number(("removed", mapping.name)), attributes, relationships))
    information = {
        "NSPersistenceFrameworkVersion": 1345,
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": [""],
    }
    lines = xml_header(identifier, max(numbers.values()), information)
    for entity, key, attributes, relationships in sorted(objects, key=lambda item: item[1]):
        lines += xml_object(entity, key, [item for item in attributes if item[2] is not None], relationships)
    path.mkdir(parents=True, exist_ok=True)
    (path / "xcmapping.xml").write_text("\n".join([*lines, "</database>"]))


def _base64(data):
    text = base64.b64encode(data).decode()
    return "".join(text[start : start + 76] + "\n" for start in range(0, len(text), 76))


# The compiled file


def _type(mapping, source, destination):
    if mapping.policy:
        return CUSTOM
    if mapping.source is None:
        return ADD
    if mapping.destination is None:
        return REMOVE
    if source.hashes()[mapping.source] == destination.hashes()[mapping.destination]:
        return COPY
    return TRANSFORM


def _property(member, mapping, source, is_relationship):
    expression = member.expression
    if expression is None and mapping.source:
        has = any(item.name == member.name for item in source.properties(source.by_name[mapping.source]))
        if is_relationship and member.mapping:
            expression = by_mapping(member.mapping, member.path or member.name)
        elif is_relationship and has:
            expression = by_relationship(member.name)
        elif has:
            expression = source_value(member.name)
    return Instance(
        "NSPropertyMapping",
        NSDestinationPropertyName=member.name,
        NSValueExpression=expression,
        NSPropertyTransforms=None,
        NSUserInfo=None,
    )


def write_compiled(mappings, source, destination, path):
    """Writes a `.cdm`."""
    instances = []
    for mapping in mappings:
        fetch = expressions.fetch(
            expressions.call(
                expressions.variable("manager"),
                "fetchRequestForSourceEntityNamed:predicateString:",
                expressions.constant(mapping.source),
                expressions.constant(mapping.filter or "TRUEPREDICATE"),
            ),
            expressions.key_path("sourceContext", expressions.variable("manager")),
        )
        instances.append(
            Instance(
                "NSEntityMapping",
                NSMappingName=mapping.name,
                NSMappingType=_type(mapping, source, destination),
                NSSourceEntityName=mapping.source,
                NSSourceEntityVersionHash=source.hashes().get(mapping.source),
                NSDestinationEntityName=mapping.destination,
                NSDestinationEntityVersionHash=destination.hashes().get(mapping.destination),
                NSSourceExpression=fetch if mapping.source else None,
                NSEntityMigrationPolicyClassName=mapping.policy,
                NSAttributeMappings=[_property(member, mapping, source, False) for member in mapping.attributes],
                NSRelationshipMappings=[_property(member, mapping, source, True) for member in mapping.relationships],
                NSUserInfo=None,
            )
        )
    root = Instance(
        "NSMappingModel",
        NSEntityMappings=instances,
        NSEntityMappingsByName=Mutable({mapping.name: item for mapping, item in zip(mappings, instances)}),
    )
    path.write_bytes(archive(root))
