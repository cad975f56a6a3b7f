"""The invented models and objects of the fixtures: a harbour, a garden, a ledger, an album."""

import datetime
from decimal import Decimal
from uuid import UUID

from formats import expressions as e
from formats.archive import URL
from formats.mapping import EntityMapping, Mapped, by_relationship, source_value
from formats.model import Attribute, Entity, FetchedProperty, Model, Relationship, Request
from formats.objects import Object
from formats.sqlite_store import External, Store, Transaction


def date(*parts):
    return datetime.datetime(*parts, tzinfo=datetime.timezone.utc)


# The harbour: inheritance, ordered and many-to-many relationships, two versions


def harbour_1():
    return Model(
        "Harbour",
        [
            Entity(
                "Berth",
                [
                    Attribute("label", "String"),
                    Attribute("number", "Integer 16", optional=False, default=0),
                    Relationship("vessels", "Vessel", "berth", to_many=True, ordered=True),
                ],
            ),
            Entity("Buoy", [Attribute("colour", "String", default="red")]),
            Entity(
                "Pilot",
                [
                    Attribute("licence", "UUID"),
                    Attribute("name", "String", optional=False),
                    Relationship("vessels", "Vessel", "pilots", to_many=True),
                ],
            ),
            Entity(
                "Vessel",
                [
                    Attribute("crew", "Integer 16", optional=False, default=2),
                    Attribute("launched", "Date"),
                    Attribute("length", "Double", optional=False, default=0.0),
                    Attribute("name", "String", optional=False),
                    Attribute("registration", "String", indexed=True),
                    Relationship("berth", "Berth", "vessels"),
                    Relationship("pilots", "Pilot", "vessels", to_many=True),
                ],
                indexes=[("byRegistration", [("registration", True)])],
            ),
            Entity(
                "Ferry",
                [Attribute("engine", "String"), Attribute("passengers", "Integer 32")],
                parent="Vessel",
            ),
            Entity("Tug", [Attribute("engine", "String"), Attribute("pull", "Float")], parent="Vessel"),
        ],
        identifier="1",
    )


def harbour_2():
    """Buoys are gone, there are signals, a vessel's name is its title, berths have a depth."""
    model = harbour_1()
    entities = [entity for entity in model.entities if entity.name != "Buoy"]
    by_name = {entity.name: entity for entity in entities}
    by_name["Berth"].properties.insert(0, Attribute("depth", "Decimal", optional=False, default="4.5"))
    vessel = by_name["Vessel"]
    vessel.properties = [item for item in vessel.properties if item.name not in ("crew", "name")]
    vessel.properties += [
        Attribute("crew", "Integer 32", optional=False, default=2),
        Attribute("title", "String", optional=False, former_name="name"),
    ]
    vessel.properties.sort(key=lambda item: (isinstance(item, Relationship), item.name))
    entities.append(Entity("Signal", [Attribute("pattern", "String")]))
    return Model("Harbour 2", entities, identifier="2")


def harbour_objects(title):
    """The objects of both versions; `title` is the attribute that has a vessel's name."""
    north = Object("Berth", 1, {"number": 1, "label": "North quay"})
    south = Object("Berth", 2, {"number": 2})
    ada = Object("Pilot", 1, {"name": "Ada", "licence": UUID("0A11CE00-1111-4111-8111-111111111111")})
    bo = Object("Pilot", 2, {"name": "Bo"})
    skiff = Object(
        "Vessel",
        1,
        {"crew": 1, "length": 4.25, title: "Skiff", "registration": "SK-7"},
        {"berth": north, "pilots": [bo]},
    )
    ferry = Object(
        "Ferry",
        2,
        {
            "crew": 12,
            "launched": date(1998, 6, 5, 4, 3, 2, 500000),
            "length": 81.5,
            title: "Île d’Or",
            "registration": "FR-2",
            "engine": "diesel",
            "passengers": 640,
        },
        {"berth": north, "pilots": [ada, bo]},
    )
    tug = Object(
        "Tug",
        3,
        {"crew": 4, "length": 21.0, title: "Ox", "engine": "electric", "pull": 37.5},
        {"berth": north},
    )
    # The smallest vessel lies first, although its key is the highest.
    punt = Object("Tug", 5, {"crew": 2, "length": 3.0, title: "Punt"}, {"berth": south})
    north.links["vessels"] = [tug, skiff, ferry]
    south.links["vessels"] = [punt]
    return [north, south, ada, bo, skiff, ferry, tug, punt]


def harbour_store_1():
    buoys = [Object("Buoy", 1, {"colour": "green"}), Object("Buoy", 4, {"colour": "red"})]
    return Store(
        harbour_1(),
        "11111111-2222-4333-8444-555555555501",
        harbour_objects("name") + buoys,
        metadata={"port": "Northport"},
        highest={"Vessel": 9},
    )


def harbour_store_2():
    objects = harbour_objects("title")
    objects[0].values["depth"] = Decimal("7.25")
    objects[1].values["depth"] = Decimal("-0.5")
    objects.append(Object("Signal", 1, {"pattern": "\u25b2\u25b2\u25cf"}))
    return Store(harbour_2(), "11111111-2222-4333-8444-555555555502", objects)


def antique_harbour_store():
    """The first version in the layout of frameworks before 2014."""
    store = harbour_store_1()
    store.identifier = "11111111-2222-4333-8444-555555555503"
    store.antique = True
    store.metadata = {}
    return store


def logged_harbour_store():
    store = harbour_store_2()
    store.identifier = "11111111-2222-4333-8444-555555555504"
    return store


def logged_changes(filler):
    """Changes in the log alone: a new signal, a new title, a vessel without pilots."""
    filler.fill([Object("Signal", 2, {"pattern": "\u25bc"})])
    filler.connection.execute("UPDATE ZVESSEL SET ZTITLE = 'Skiff II', Z_OPT = 2 WHERE Z_PK = 1")
    filler.connection.execute("DELETE FROM Z_4PILOTS WHERE Z_4VESSELS = 2")


def harbour_mappings():
    """The way from the first version to the second; tugs of 5 metres or less are left behind."""

    def vessel(name, own, filter=None):
        return EntityMapping(
            name,
            name,
            [
                Mapped("crew"),
                Mapped("launched"),
                Mapped("length"),
                Mapped("registration"),
                Mapped("title", source_value("name")),
                *(Mapped(item) for item in own),
            ],
            [Mapped("berth", mapping="BerthToBerth", path="berth"), Mapped("pilots")],
            filter=filter,
        )

    return [
        EntityMapping(
            "Berth",
            "Berth",
            [Mapped("depth"), Mapped("label", e.function("uppercase:", source_value("label"))), Mapped("number")],
            [Mapped("vessels")],
        ),
        EntityMapping(
            "Pilot",
            "Pilot",
            [Mapped("licence"), Mapped("name")],
            [Mapped("vessels", by_relationship("vessels"))],
        ),
        vessel("Vessel", []),
        vessel("Ferry", ["engine", "passengers"]),
        vessel("Tug", ["engine", "pull"], filter="length > 5"),
        EntityMapping(None, "Signal", [Mapped("pattern")]),
    ]


# The garden: an abstract entity, constraints, indexes, derived and composite attributes, requests


def garden():
    tall = e.compare(e.key_path("height"), ">", e.variable("LEAST"))
    near = e.compare(e.key_path("bed"), "==", e.key_path("favourite.bed", e.variable("FETCH_SOURCE")))
    plants = e.function("count:", e.key_path("plants"))
    return Model(
        "Garden",
        [
            Entity(
                "Bed",
                [
                    Attribute("area", "Decimal", minimum=0, maximum=500),
                    Attribute("code", "String", optional=False, minimum=2, maximum=8),
                    Attribute(
                        "folded",
                        "String",
                        derivation=("canonical:(code)", e.function("canonical:", e.key_path("code"))),
                    ),
                    Attribute("plantCount", "Integer 64", derivation=("plants.@count", plants)),
                    Attribute(
                        "place",
                        "Composite",
                        composite="Place",
                        elements=(Attribute("column", "Integer 16"), Attribute("row", "Integer 16")),
                    ),
                    Relationship("best", "Plant", to_many=True),
                    Relationship("plants", "Plant", "bed", to_many=True, rule="Cascade"),
                ],
                unique=[["code"]],
                indexes=[("byArea", [("area", False), ("code", True)])],
                user_info={"plural": "beds", "note": 'soil & "sun"'},
            ),
            Entity(
                "Plant",
                [
                    Attribute("height", "Double", optional=False, default=0.0, minimum=0, maximum=120),
                    Attribute("name", "String", optional=False, default="unnamed", user_info={"latin": "no"}),
                    Attribute("planted", "Date", default=date(2001, 1, 2)),
                    Attribute("thirst", "Integer 16", transient=True),
                    Relationship("bed", "Bed", "plants"),
                ],
                abstract=True,
            ),
            Entity("Herb", [Attribute("edible", "Boolean", optional=False, default=True)], parent="Plant"),
            Entity(
                "Tree",
                [Attribute("age", "Integer 32"), Attribute("fruit", "String")],
                parent="Plant",
                modifier="grown",
            ),
            Entity(
                "Gardener",
                [
                    Attribute("name", "String"),
                    Relationship("favourite", "Plant"),
                    Relationship("mentor", "Gardener", "pupils"),
                    Relationship("pupils", "Gardener", "mentor", to_many=True, rule="Deny"),
                    FetchedProperty(
                        "neighbours", Request("neighbours", "Plant", ("bed == $FETCH_SOURCE.favourite.bed", near))
                    ),
                ],
            ),
        ],
        identifier="garden-1",
        configurations={"Beds": ["Bed", "Herb", "Plant", "Tree"], "Staff": ["Gardener"]},
        requests=[
            Request("tallTrees", "Tree", ("height > $LEAST", tall)),
            Request("names", "Gardener", result_type=2),
        ],
    )


def garden_store():
    rose = Object("Bed", 1, {"code": "Röse", "folded": "rose", "area": Decimal("12.5"), "row": 3, "column": 4})
    moss = Object("Bed", 2, {"code": "MOSS", "folded": "moss"})
    mint = Object("Herb", 1, {"height": 0.4, "name": "Mint", "edible": True}, {"bed": rose})
    yew = Object(
        "Tree", 2, {"height": 11.0, "name": "Yew", "planted": date(1955, 3, 1), "age": 70}, {"bed": rose}
    )
    pear = Object(
        "Tree", 3, {"height": 6.5, "name": "Pear", "planted": date(2020, 10, 31), "age": 5, "fruit": "pear"}, {}
    )
    rose.links["best"] = [yew, pear]
    ann = Object("Gardener", 1, {"name": "Ann"}, {"favourite": yew})
    ben = Object("Gardener", 2, {"name": "Ben"}, {"favourite": mint, "mentor": ann})
    cai = Object("Gardener", 3, {}, {"mentor": ann})
    return Store(
        garden(), "11111111-2222-4333-8444-555555555505", [rose, moss, mint, yew, pear, ann, ben, cai]
    )


# The ledger: every type of attribute, in all kinds of stores


def ledger():
    return Model(
        "Ledger",
        [
            Entity(
                "Account",
                [
                    Attribute("name", "String"),
                    Relationship("entries", "Entry", "account", to_many=True, ordered=True, rule="Cascade"),
                ],
            ),
            Entity(
                "Entry",
                [
                    Attribute("amount", "Decimal"),
                    Attribute("booked", "Date"),
                    Attribute("cleared", "Boolean"),
                    Attribute("identifier", "UUID"),
                    Attribute("labels", "Transformable", transformer="NSSecureUnarchiveFromDataTransformer"),
                    Attribute("large", "Integer 64"),
                    Attribute("link", "URI"),
                    Attribute("medium", "Integer 32"),
                    Attribute("rate", "Double"),
                    Attribute("ratio", "Float"),
                    Attribute("small", "Integer 16"),
                    Attribute("stamp", "Binary"),
                    Attribute("text", "String"),
                    Relationship("account", "Account", "entries"),
                ],
            ),
            Entity(
                "Transfer",
                [
                    Attribute("code", "Integer 16", optional=False, default=0),
                    Relationship("target", "Account", optional=False, minimum=1),
                ],
                parent="Entry",
            ),
        ],
    )


def ledger_store():
    cash = Object("Account", 1, {"name": "Cash"})
    bank = Object("Account", 2, {"name": "Bank <&> \"Co\""})
    full = Object(
        "Entry",
        1,
        {
            "amount": Decimal("-12345.678"),
            "booked": date(2026, 2, 28, 23, 59, 59, 250000),
            "cleared": True,
            "identifier": UUID("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            "labels": ["rent", "März"],
            "large": -9007199254740993,
            "link": URL("https://example.org/a?b=c#d"),
            "medium": 2147483647,
            "rate": 0.1,
            "ratio": -2.5,
            "small": -32768,
            "stamp": bytes(range(0, 256, 3)),
            "text": "two\nlines, a back\\slash, <tags> & \u00fcml\u00e4uts, \U0001f6a2",
        },
        {"account": cash},
    )
    empty = Object("Entry", 2, {}, {"account": cash})
    zero = Object(
        "Entry",
        3,
        {
            "amount": Decimal("0"), "booked": date(2001, 1, 1), "cleared": False, "large": 0, "medium": 0, "rate": 0.0,
            "ratio": 0.0, "small": 0, "stamp": b"", "text": "",
        },
    )
    move = Object(
        "Transfer",
        4,
        {"code": 7, "text": "to the bank", "large": 4611686018427387904},
        {"account": cash, "target": bank},
    )
    cash.links["entries"] = [move, full, empty]
    return Store(ledger(), "11111111-2222-4333-8444-555555555506", [cash, bank, full, empty, zero, move])


# The album: large values in files, and the history


def album():
    return Model(
        "Album",
        [
            Entity(
                "Album",
                [
                    Attribute("name", "String", optional=False),
                    Relationship("photos", "Photo", "albums", to_many=True, ordered=True),
                ],
            ),
            Entity(
                "Photo",
                [
                    Attribute("image", "Binary", external=True),
                    Attribute("taken", "Date"),
                    Attribute("title", "String", preserved=True),
                    Relationship("albums", "Album", "photos", to_many=True),
                ],
            ),
        ],
    )


IMAGE_NAME = "5C0FFEE0-0000-4000-8000-00000000CAFE"
IMAGE = bytes(number * number % 251 for number in range(2048))


def album_store():
    pier = Object("Photo", 1, {"title": "Pier", "taken": date(2025, 7, 1, 12), "image": b"\x89small"})
    storm = Object("Photo", 2, {"title": "Storm", "image": External(IMAGE_NAME, IMAGE)})
    plain = Object("Photo", 4, {"title": "Plain"})
    sea = Object("Album", 1, {"name": "Sea"}, {"photos": [storm, plain, pier]})
    best = Object("Album", 2, {"name": "Best"}, {"photos": [pier]})
    history = [
        Transaction(
            date(2025, 7, 2, 8),
            [
                ("insert", "Album", 1, None), ("insert", "Album", 2, None), ("insert", "Photo", 1, None),
                ("insert", "Photo", 2, None), ("insert", "Photo", 3, None), ("insert", "Photo", 4, None),
            ],
        ),
        Transaction(
            date(2025, 7, 3, 9, 30),
            [("update", "Photo", 1, {"title", "taken"}), ("update", "Album", 1, {"photos"})],
            author="import",
            context="background",
        ),
        Transaction(date(2025, 7, 4), [("delete", "Photo", 3, {"title": "Blurred"})], author="user"),
    ]
    return Store(
        album(),
        "11111111-2222-4333-8444-555555555507",
        [sea, best, pier, storm, plain],
        history=history,
        external={IMAGE_NAME: IMAGE},
    )


# Archives


def predicates():
    """Predicates with their formats."""
    return [
        ("length > 20.5", e.compare(e.key_path("length"), ">", e.constant(20.5))),
        ('name BEGINSWITH[cd] "sk"', e.compare(e.key_path("name"), "BEGINSWITH", e.constant("sk"), "cd")),
        (
            'ANY pilots.name == "Ada" AND NOT berth.number != 1',
            e.compound(
                "AND",
                e.compare(e.key_path("pilots.name"), "==", e.constant("Ada"), modifier="ANY"),
                e.compound("NOT", e.compare(e.key_path("berth.number"), "!=", e.constant(1))),
            ),
        ),
        (
            "crew BETWEEN {1, 4} OR registration == nil",
            e.compound(
                "OR",
                e.compare(e.key_path("crew"), "BETWEEN", e.aggregate(e.constant(1), e.constant(4))),
                e.compare(e.key_path("registration"), "==", e.constant(None)),
            ),
        ),
        (
            'engine IN {"diesel", "steam"}',
            e.compare(e.key_path("engine"), "IN", e.aggregate(e.constant("diesel"), e.constant("steam"))),
        ),
        ('name ENDSWITH "x"', e.compare(e.key_path("name"), "ENDSWITH", e.constant("x"))),
        ('name LIKE[c] "?sl*"', e.compare(e.key_path("name"), "LIKE", e.constant("?sl*"), "c")),
        (
            'registration MATCHES "[A-Z]+-[0-9]"',
            e.compare(e.key_path("registration"), "MATCHES", e.constant("[A-Z]+-[0-9]")),
        ),
        ("crew <= $MOST", e.compare(e.key_path("crew"), "<=", e.variable("MOST"))),
        (
            "pilots.@count == 2",
            e.compare(e.key_path("pilots.@count"), "==", e.constant(2)),
        ),
        (
            'uppercase:(name) CONTAINS "SK"',
            e.compare(e.function("uppercase:", e.key_path("name")), "CONTAINS", e.constant("SK")),
        ),
        ("TRUEPREDICATE", e.always(True)),
        ("FALSEPREDICATE", e.always(False)),
    ]


def sort_descriptors():
    return [
        e.sort_descriptor("berth.number", ascending=False),
        e.sort_descriptor("name", selector="localizedStandardCompare:"),
        e.sort_descriptor("crew"),
    ]
