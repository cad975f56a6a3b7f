"""The objects of a store, independent of its format."""

from dataclasses import dataclass, field

from .model import Relationship


@dataclass
class Object:
    """An object with its values, and the objects that its relationships lead to.

    Each relationship is given on one side: the to-one side, or the owner of a many-to-many one. An ordered to-many side
    is given as well, for its order.
    """

    entity: str
    key: int
    values: dict = field(default_factory=dict)
    links: dict = field(default_factory=dict)


def complete(model, objects):
    """The related objects of each object in both directions: a dictionary by (object's id, relationship)."""
    result = {}
    for item in objects:
        entity = model.by_name[item.entity]
        for property in model.properties(entity):
            if isinstance(property, Relationship):
                linked = item.links.get(property.name, [])
                result[id(item), property.name] = list(linked) if isinstance(linked, list) else [linked]
    for item in objects:
        for property in model.properties(model.by_name[item.entity]):
            if not isinstance(property, Relationship) or property.inverse is None:
                continue
            inverse, _ = model.inverse(property)
            # An inverse that names another relationship is not kept.
            if inverse.inverse != property.name:
                continue
            for other in result[id(item), property.name]:
                back = result[id(other), property.inverse]
                if not any(member is item for member in back):
                    back.append(item)
    return result
