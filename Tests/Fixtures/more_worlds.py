"""More invented models: an orchard of four versions, a gallery with an inverse that does not point back, and a mapping
of the harbour from its second version to the first."""

from formats.mapping import EntityMapping, Mapped, source_value
from formats.model import Attribute, Entity, Model, Relationship
from formats.objects import Object
from formats.sqlite_store import Store

# The orchard: changes that can be inferred, until the last version


def orchard(number):
    tree = [Attribute("planted", "Date"), Attribute("kind", "String", optional=False, default="apple")]
    row = [Attribute("number", "Integer 16", optional=False, default=0)]
    if number >= 2:
        # A new name, and new attributes with default values.
        tree[1] = Attribute("variety", "String", optional=False, default="apple", former_name="kind")
        tree.append(Attribute("height", "Double", optional=False, default=1.5))
        tree.append(Attribute("sprayed", "Boolean", optional=False, default=False))
    if number >= 3:
        # A removed attribute, a new entity, an attribute that became required.
        tree = [item for item in tree if item.name != "planted"]
        row.append(Attribute("name", "String", optional=False, default="row"))
    if number >= 4:
        # Another type, which cannot be inferred.
        tree = [item for item in tree if item.name != "height"] + [Attribute("height", "String")]
    tree.append(Relationship("row", "Row", "trees"))
    row.append(Relationship("trees", "Tree", "row", to_many=True, ordered=number >= 3, rule="Cascade"))
    entities = [Entity("Row", _sorted(row)), Entity("Tree", _sorted(tree))]
    if number >= 3:
        entities.append(Entity("Basket", [Attribute("weight", "Float"), Relationship("row", "Row")]))
    return Model("Orchard" if number == 1 else f"Orchard {number}", entities, identifier=f"orchard-{number}")


def orchards():
    return [orchard(number) for number in range(1, 5)]


def _sorted(items):
    return sorted(items, key=lambda item: (isinstance(item, Relationship), item.name))


# The gallery: a picture's painter is not the one whose portrait it is


def gallery():
    return Model(
        "Gallery",
        [
            Entity("Painter", [Attribute("name", "String"), Relationship("portrait", "Picture", "portrays")]),
            Entity(
                "Picture",
                [
                    Attribute("title", "String"),
                    # The inverse names another relationship.
                    Relationship("painter", "Painter", "portrait"),
                    Relationship("portrays", "Painter", "portrait"),
                ],
            ),
        ],
    )


def gallery_store():
    ida = Object("Painter", 1, {"name": "Ida"})
    leo = Object("Painter", 2, {"name": "Leo"})
    ida_by_leo = Object("Picture", 1, {"title": "Ida at the window"}, {"painter": leo, "portrays": ida})
    harvest = Object("Picture", 2, {"title": "Harvest"}, {"painter": ida})
    dusk = Object("Picture", 3, {"title": "Dusk"}, {"painter": ida})
    return Store(gallery(), "11111111-2222-4333-8444-555555555509", [ida, leo, ida_by_leo, harvest, dusk])


# The harbour's way back: an entity is removed, one is added, and one has a migration policy


def homeward_mappings():
    def vessel(name, own):
        return EntityMapping(
            name,
            name,
            [
                Mapped("crew"), Mapped("launched"), Mapped("length"), Mapped("name", source_value("title")),
                Mapped("registration"), *(Mapped(item) for item in own),
            ],
            [Mapped("berth", mapping="BerthToBerth", path="berth"), Mapped("pilots")],
        )

    return [
        EntityMapping("Berth", "Berth", [Mapped("label"), Mapped("number")], [Mapped("vessels")]),
        EntityMapping("Pilot", "Pilot", [Mapped("licence"), Mapped("name")], [Mapped("vessels")], policy="PilotPolicy"),
        vessel("Vessel", []),
        vessel("Ferry", ["engine", "passengers"]),
        vessel("Tug", ["engine", "pull"]),
        EntityMapping("Signal", None),
        EntityMapping(None, "Buoy", [Mapped("colour")]),
    ]
