"""Compiled models: `.mom`, `.momd`, and the model that a SQLite store keeps of itself."""

import decimal
import zlib

from . import expressions
from .archive import Boxed, Instance, Mutable, ObjectSet, archive, plain_list
from .model import DELETE_RULES, TYPES, Attribute, FetchedProperty

EXTERNAL, PRESERVED = 4, 16
# A request's flags by its type of result: objects, identifiers, dictionaries.
REQUEST_FLAGS = {0: 30, 1: 26, 2: 14}
# The codes of the errors for a number's bounds and for a text's length.
CODES = {"number": (1620, 1610), "text": (1670, 1660)}


class _Compiler:
    def __init__(self, model):
        self.model = model
        self.root = Instance("NSManagedObjectModel")
        self.entities = {entity.name: Instance("NSEntityDescription") for entity in model.entities}
        self.relationships = {}
        for entity in model.entities:
            for item in entity.properties:
                if not isinstance(item, (Attribute, FetchedProperty)):
                    self.relationships[entity.name, item.name] = Instance(
                        "NSRelationshipDescription", ("NSPropertyDescription",)
                    )

    def compile(self):
        for entity in self.model.entities:
            self.entities[entity.name].keys = self.entity(entity)
        self.root.keys = {
            "NSEntities": Mutable(dict(self.entities)),
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
            "NSProperties": Mutable({item.name: self.property(entity, item) for item in entity.properties}),
            "NSUserInfo": dict(sorted(entity.user_info.items())),
            "NSVersionHashModifier": entity.modifier,
        }
        if entity.abstract:
            keys["NSIsAbstract"] = True
        if entity.unique:
            keys["NSUniqueTuples"] = Mutable([Mutable(list(names)) for names in entity.unique])
        if entity.indexes:
            keys["NSFetchIndexDescriptions"] = Mutable([self.index(entity, *index) for index in entity.indexes])
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
            "_P": 243 if item.optional else 241,
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
            keys["NSValidationPredicates"] = Mutable([predicate for predicate, _ in rules])
            keys["NSValidationWarnings"] = Mutable([code for _, code in rules])
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
        _, owner = self.model.inverse(item)
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
    return deflater.compress(compiled(model)) + deflater.flush()


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
