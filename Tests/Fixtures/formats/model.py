"""Models as plain records, and their version hashes."""

import base64
import hashlib
import struct
from dataclasses import dataclass, field

# The type's name in Xcode, its number, and the class of its values.
TYPES = {
    "Integer 16": (100, "NSNumber"), "Integer 32": (200, "NSNumber"), "Integer 64": (300, "NSNumber"),
    "Decimal": (400, "NSDecimalNumber"), "Double": (500, "NSNumber"), "Float": (600, "NSNumber"),
    "String": (700, "NSString"), "Boolean": (800, "NSNumber"), "Date": (900, "NSDate"), "Binary": (1000, "NSData"),
    "UUID": (1100, "NSUUID"), "URI": (1200, "NSURL"), "Transformable": (1800, None),
    "Composite": (2100, "NSDictionary"),
}
DELETE_RULES = {"No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3}


@dataclass
class Attribute:
    name: str
    type: str
    optional: bool = True
    default: object = None
    transient: bool = False
    indexed: bool = False
    external: bool = False
    preserved: bool = False
    minimum: object = None
    maximum: object = None
    # The expression's format as a model's file has it, and the expression of an archive.
    derivation: tuple = None
    transformer: str = None
    # The name of a composite type, and its elements.
    composite: str = None
    elements: tuple = ()
    former_name: str = None
    user_info: dict = field(default_factory=dict)


@dataclass
class Relationship:
    name: str
    destination: str
    inverse: str = None
    to_many: bool = False
    ordered: bool = False
    optional: bool = True
    minimum: int = 0
    rule: str = "Nullify"

    @property
    def maximum(self):
        return 0 if self.to_many else 1


@dataclass
class Request:
    """A stored request; its predicate as a format and as an archive."""

    name: str
    entity: str
    predicate: tuple = None
    result_type: int = 0


@dataclass
class FetchedProperty:
    name: str
    request: Request
    optional: bool = True


@dataclass
class Entity:
    name: str
    properties: list
    parent: str = None
    abstract: bool = False
    # Names of attributes.
    unique: list = field(default_factory=list)
    # Pairs of a name and a list of (attribute, whether it ascends).
    indexes: list = field(default_factory=list)
    user_info: dict = field(default_factory=dict)
    modifier: str = None

    def of_kind(self, kind):
        return [item for item in self.properties if isinstance(item, kind)]


@dataclass
class Model:
    name: str
    entities: list
    identifier: str = ""
    configurations: dict = field(default_factory=dict)
    requests: list = field(default_factory=list)

    def __post_init__(self):
        self.entities.sort(key=lambda entity: entity.name)
        self.by_name = {entity.name: entity for entity in self.entities}

    def lineage(self, entity):
        """The entity and its superentities, the root first."""
        parent = self.by_name.get(entity.parent)
        return (self.lineage(parent) if parent else []) + [entity]

    def root(self, entity):
        return self.lineage(entity)[0]

    def children(self, entity):
        return [other for other in self.entities if other.parent == entity.name]

    def properties(self, entity):
        """All properties with inherited ones, the superentity's first."""
        return [item for ancestor in self.lineage(entity) for item in ancestor.properties]

    def property(self, entity, name):
        return next(item for item in self.properties(entity) if item.name == name)

    def declaring(self, entity, name):
        """The entity of the lineage that declares a property."""
        return next(a for a in self.lineage(entity) if any(item.name == name for item in a.properties))

    def inverse(self, relationship):
        """The inverse and the entity that declares it, or two times None."""
        if relationship.inverse is None:
            return None, None
        destination = self.by_name[relationship.destination]
        owner = self.declaring(destination, relationship.inverse)
        return self.property(destination, relationship.inverse), owner

    def numbered(self):
        """Entities in the order of their numbers: each root is followed by its subentities."""
        result = []

        def visit(entity):
            result.append(entity)
            for child in self.children(entity):
                visit(child)

        for entity in self.entities:
            if entity.parent is None:
                visit(entity)
        return result

    # Version hashes

    def hashes(self):
        return {entity.name: self.entity_hash(entity) for entity in self.entities}

    def entity_hash(self, entity):
        parts = [entity.name.encode(), bytes([entity.abstract])]
        if entity.parent:
            parts.append(self.entity_hash(self.by_name[entity.parent]))
        stored = [
            item
            for item in self.properties(entity)
            if not isinstance(item, FetchedProperty) and not getattr(item, "transient", False)
        ]
        parts += [property_hash(item) for item in sorted(stored, key=lambda item: item.name)]
        parts.append("".join(sorted(".".join(names) for names in entity.unique)).encode())
        if entity.modifier:
            parts.append(entity.modifier.encode())
        return _hash(*parts)

    def checksum(self):
        hashes = self.hashes()
        return base64.b64encode(_hash(*(hashes[name] for name in sorted(hashes)))).decode()

    def digest(self):
        hashes = self.hashes()
        pairs = b"".join(name.encode() + hashes[name] for name in sorted(hashes))
        return base64.b64encode(hashlib.sha512(pairs).digest()).decode()


def _hash(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def property_hash(item):
    if isinstance(item, Attribute) and item.derivation:
        text = item.derivation[0]
        if text.endswith(".@count"):
            text = f"count:({text.removesuffix('.@count')})"
        return _hash(text.encode())
    if isinstance(item, Attribute) and item.elements:
        return _hash(*(property_hash(element) for element in sorted(item.elements, key=lambda element: element.name)))
    base = _hash(item.name.encode(), struct.pack("<H", int(item.optional)))
    if isinstance(item, Attribute):
        marks = b"\1" * item.external + b"\1" * item.preserved
        return _hash(base, struct.pack("<i", TYPES[item.type][0]), marks)
    return _hash(
        base,
        item.destination.encode(),
        (item.inverse or "").encode(),
        struct.pack("<ii", item.maximum, item.minimum),
        b"\1\0" if item.ordered else b"",
    )
