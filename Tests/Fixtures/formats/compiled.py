"""Compiled models: `.mom`, `.momd`, and the model that a SQLite store keeps of itself."""

import decimal
import zlib

from . import expressions
from .archive import Boxed, Instance, Mutable, ObjectSet, archive, plain_list
from .model import DELETE_RULES, TYPES, Attribute, FetchedProperty

EXTERNAL, PRESERVED = 4, 16
EMPTY = "__empty_slot_token_4c24_98dc_ac1e_b773__"
# A request's flags by its type of result: objects, identifiers, dictionaries.
REQUEST_FLAGS = {0: 30, 1: 26, 2: 14}
# The codes of the errors for a number's bounds and for a text's length.
CODES = {"number": (1620, 1610), "text": (1670, 1660)}


class _Compiler:
    def __init__(self, model, is_cache=False):
        """The model of a file, or of a store's cache, in which entities have inherited properties too."""
        self.model = model
        self.is_cache = is_cache
        self.root = Instance("NSManagedObjectModel")
        self.entities = {entity.name: Instance("NSEntityDescription") for entity in model.entities}
        self.relationships = {}
        for entity in model.entities:
            for item in self.listed(entity):
                if not isinstance(item, (Attribute, FetchedProperty)):
                    self.relationships[entity.name, item.name] = Instance(
                        "NSRelationshipDescription", ("NSPropertyDescription",)
                    )

    def listed(self, entity):
        return self.model.properties(entity) if self.is_cache else entity.properties

    def known_entities(self):
        """A dictionary of fixed keys, as in stores."""
        return Instance(
            "NSKnownKeysDictionary1",
            ("NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"),
            searchMapping=Instance(
                "NSKnownKeysMappingStrategy1",
                ("NSKnownKeysMappingStrategy",),
                keys=list(self.entities),
                length=len(self.entities),
                version=1,
            ),
            values=list(self.entities.values()),
            version=1,
            emptyToken=EMPTY,
        )

    def compile(self):
        for entity in self.model.entities:
            self.entities[entity.name].keys = self.entity(entity)
        self.root.keys = {
            "NSEntities": self.known_entities() if self.is_cache else Mutable(dict(self.entities)),
            "NSFetchRequestTemplates": self.requests(),
            "NSVersionIdentifiers": {self.model.identifier},
        }
        if self.model.configurations:
            self.root.keys["NSConfigurations"] = Mutable(
                {
                    name: ObjectSet([self.entities[member] for member in members])
                    for name, members in sorted(self.model.configurations.items())
                }
            )
        return self.root

    def requests(self):
        if not self.model.requests:
            return None
        return Mutable({request.name: self.request(request) for request in self.model.requests})

    def entity(self, entity):
        keys = {
            "NSEntityName": entity.name,
            "NSClassNameForEntity": entity.name,
            "NSRenamingIdentifier": entity.name,
            "NSManagedObjectModel": self.root,
            "NSSuperentity": self.entities.get(entity.parent),
            "NSSubentities": Mutable({child.name: self.entities[child.name] for child in self.model.children(entity)}),
            "NSProperties": Mutable({item.name: self.property(entity, item) for item in self.listed(entity)}),
            "NSUserInfo": dict(sorted(entity.user_info.items())),
            "NSVersionHashModifier": entity.modifier,
        }
        if entity.abstract:
            keys["NSIsAbstract"] = True
        if entity.unique:
            keys["NSUniqueTuples"] = Mutable([Mutable(list(names)) for names in entity.unique])
        if entity.indexes:
            keys["NSFetchIndexDescriptions"] = Mutable([self.index(entity, *index) for index in entity.indexes])
            several = [[attribute for attribute, _ in members] for _, members in entity.indexes if len(members) > 1]
            keys["NSCompoundIndexes"] = Mutable([Mutable(names) for names in several])
        return keys

    def index(self, entity, name, members):
        index = Instance("NSFetchIndexDescription")
        index.keys = {
            "NSIndexName": name,
            "NSPartialIndexPredicate": None,
            "NSEntity": self.entities[entity.name],
            "NSIndexElements": [
                Instance(
                    "NSFetchIndexElementDescription",
                    NSPropertyName=attribute,
                    NSFetchIndexElementType=0,
                    NSAscending=ascends,
                    NSFetchIndexDescription=index,
                )
                for attribute, ascends in members
            ],
        }
        return index

    def property(self, entity, item):
        if isinstance(item, Attribute):
            return self.attribute(entity, item)
        if isinstance(item, FetchedProperty):
            return Instance(
                "NSFetchedPropertyDescription",
                ("NSPropertyDescription",),
                **self.common(entity, item),
                NSIsTransient=True,
                NSIsReadOnly=True,
                _NSFetchRequestEntityName=item.request.entity,
                NSFetchRequest=self.request(item.request),
            )
        return self.relationship(entity, item)

    def common(self, entity, item):
        keys = {
            "NSPropertyName": item.name,
            "NSRenamingIdentifier": getattr(item, "former_name", None) or item.name,
            "NSEntity": self.entities[entity.name],
            "_P": presence(item),
        }
        if item.optional:
            keys["NSIsOptional"] = True
        return keys

    def attribute(self, entity, item):
        number, value_class = TYPES[item.type]
        name = "NSAttributeDescription"
        keys = self.common(entity, item) | {
            "NSAttributeType": number,
            "NSAttributeValueClassName": value_class,
            "NSDefaultValue": Boxed(_default(item)),
            "NSValueTransformerName": item.transformer,
            "NSFlagsKey": EXTERNAL * item.external | PRESERVED * item.preserved,
        }
        if item.transient:
            keys["NSIsTransient"] = True
        if any([(item.name, True)] == members for _, members in entity.indexes):
            keys["NSIsIndexed"] = True
        if item.user_info:
            keys["NSUserInfo"] = dict(sorted(item.user_info.items()))
        rules = _rules(item)
        if rules:
            keys["NSValidationPredicates"] = [predicate for predicate, _ in rules]
            keys["NSValidationWarnings"] = [code for _, code in rules]
        if item.derivation:
            name = "NSDerivedAttributeDescription"
            keys |= {"NSIsReadOnly": True, "NSFilteringPredicate": None, "NSDerivationExpression": item.derivation[1]}
        elif item.elements:
            name = "NSCompositeAttributeDescription"
            keys["NSCompositeElements"] = Mutable([self.attribute(entity, part) for part in item.elements])
        bases = ("NSPropertyDescription",)
        if name != "NSAttributeDescription":
            bases = ("NSAttributeDescription", *bases)
        return Instance(name, bases, **keys)

    def relationship(self, entity, item):
        inverse, owner = self.model.inverse(item)
        if self.is_cache and inverse:
            owner = self.model.by_name[item.destination]
        instance = self.relationships[entity.name, item.name]
        instance.keys = self.common(entity, item) | {
            "NSDestinationEntity": self.entities[item.destination],
            "_NSDestinationEntityName": item.destination,
            "NSInverseRelationship": owner and self.relationships[owner.name, item.inverse],
            "_NSInverseRelationshipName": item.inverse,
            "NSDeleteRule": DELETE_RULES[item.rule],
            "NSMinCount": item.minimum,
            "NSMaxCount": item.maximum,
        }
        if item.ordered:
            instance.keys["NSIsOrdered"] = True
        return instance

    def request(self, request):
        return Instance(
            "NSFetchRequest",
            ("NSPersistentStoreRequest",),
            NSEntity=self.entities[request.entity],
            NSPredicate=request.predicate and request.predicate[1],
            NSSortDescriptors=None,
            NSHasFetchRequestFlags=True,
            NSFetchRequestFlags=REQUEST_FLAGS[request.result_type],
            NSResultType=request.result_type,
            NSFetchLimit=0,
            NSFetchOffset=0,
            NSBatchSize=0,
            NSValuesToFetch=None,
            NSValuesToGroupBy=None,
            NSHavingPredicate=None,
            NSRelationshipKeyPathsForPrefetching=None,
        )


def presence(item):
    """The bits of `_P`."""
    is_attribute, is_fetched = isinstance(item, Attribute), isinstance(item, FetchedProperty)
    bits = {
        1: True,
        2: item.optional,
        4: is_fetched or is_attribute and item.derivation,
        8: is_fetched or is_attribute and item.transient,
        48: not (is_attribute and _rules(item)),
        64: not getattr(item, "user_info", None),
        128: True,
        1024: getattr(item, "ordered", False),
    }
    return sum(bit for bit, is_set in bits.items() if is_set)


def _default(item):
    if item.type in ("Double", "Float") and item.default is not None:
        return float(item.default)
    if item.type == "Decimal" and item.default is not None:
        return decimal.Decimal(item.default)
    return item.default


def _rules(item):
    """The bounds of a number, or of a text's length, with the codes of their errors."""
    if item.minimum is None and item.maximum is None:
        return []
    codes = CODES["text" if item.type == "String" else "number"]
    bounds = [(item.minimum, ">=", codes[0]), (item.maximum, "<=", codes[1])]

    def subject():
        return expressions.key_path("length") if item.type == "String" else expressions.itself()

    return [
        (expressions.compare(subject(), operator, expressions.constant(bound)), code)
        for bound, operator, code in bounds
        if bound is not None
    ]


def compiled(model):
    """The bytes of a `.mom`."""
    return archive(_Compiler(model).compile())


def model_cache(model):
    """The content of Z_MODELCACHE: the compiled model in raw deflate."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflater.compress(archive(_Compiler(model, is_cache=True).compile())) + deflater.flush()


def version_info(models):
    """The `VersionInfo.plist` of a `.momd`."""
    information = {
        "NSManagedObjectModel_VersionHashes": {model.name: model.hashes() for model in models},
        "NSManagedObjectModel_VersionChecksums": {model.name: model.checksum() for model in models},
    }
    if len(models) > 1:
        information["NSManagedObjectModel_CurrentVersionName"] = models[-1].name
    return plain_list(information)


def write_versions(models, folder):
    """Writes a `.momd`; the last version is the current one."""
    folder.mkdir(parents=True, exist_ok=True)
    for model in models:
        (folder / f"{model.name}.mom").write_bytes(compiled(model))
    (folder / "VersionInfo.plist").write_bytes(version_info(models))
