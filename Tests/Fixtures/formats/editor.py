"""Models as archives of Xcode's editor, XDPMModel: `elements` of models before Xcode 4, and models in mapping models.

Each entity and property has its settings in stereotypes: named groups of settings, each of them an XDUMLPropertyImp
whose `_default` is the setting's value.
"""

from .archive import Boxed, Instance, Mutable, archive
from .model import DELETE_RULES, TYPES, Attribute, Relationship

NAMED = ("XDUMLNamedElementImp", "XDUMLElementImp")
CLASS = ("XDUMLClassImp", "XDUMLClassifierImp", "XDUMLNamespaceImp", *NAMED)
PROPERTY = {"_type": None, "_association": None, "_uniqueElementID": None, "_visibility": 0} | {
    key: False
    for key in ("_isStatic", "_isUnique", "_isReadOnly", "_isDerived", "_isOrdered", "_isComposite", "_isLeaf")
}
ORDERED = {"XDBucketForOwnedAttributesordered": "ordered", "XDBucketForOwnedAttributeswasEncoded": "YES"}


def _setting(name, value, owner):
    return Instance("XDUMLPropertyImp", NAMED, _name=name, _default=Boxed(value), _owner=owner, **PROPERTY)


def _stereotype(name, settings, owner):
    instance = Instance("XDUMLStereotypeImp", CLASS, _name=name, _owner=owner, _uniqueElementID=None, _visibility=0)
    instance.keys |= {"_isAbstract": False, **ORDERED}
    instance.keys["XDBucketForOwnedAttributesstorage"] = Mutable(
        {key: _setting(key, value, instance) for key, value in settings.items()}
    )
    return instance


def _stereotypes(groups, owner):
    return {
        "XDBucketForStereotypesordered": "ordered",
        "XDBucketForStereotypeswasEncoded": "YES",
        "XDBucketForStereotypesstorage": Mutable(
            {name: _stereotype(name, settings, owner) for name, settings in groups.items()}
        ),
    }


def editor_model(model):
    """The archive of a model; fetched properties, indexes and constraints are not supported."""
    root = Instance("XDPMModel", ("XDModel",), _xd_modelName=f"{model.name}.xcdatamodel", _xd_modelManager=None)
    package = Instance("XDModelPackage", ("XDUMLPackageImp", "XDUMLNamespaceImp", *NAMED))
    entities = {entity.name: Instance("XDPMEntity", CLASS) for entity in model.entities}
    properties = {
        (entity.name, item.name): Instance(
            "XDPMAttribute" if isinstance(item, Attribute) else "XDPMRelationship",
            ("XDPMProperty", "XDUMLPropertyImp", *NAMED),
        )
        for entity in model.entities
        for item in entity.properties
    }
    for number, entity in enumerate(model.entities, 1):
        owner = entities[entity.name]
        parent = entities.get(entity.parent)
        generalizations = []
        if parent:
            generalizations.append(
                Instance(
                    "XDUMLGeneralizationImp",
                    NAMED,
                    _name=None,
                    _general=parent,
                    _specific=owner,
                    _owner=owner,
                    _visibility=0,
                    _uniqueElementID=None,
                )
            )
        owner.keys = {
            "_name": entity.name,
            "_owner": package,
            "_isAbstract": entity.abstract,
            "_visibility": 0,
            "_uniqueElementID": Boxed(1000 * number),
            "XDBucketForGeneralizationsordered": "ordered",
            "XDBucketForGeneralizationsduplicates": "duplicates",
            "XDBucketForGeneralizationswasEncoded": "YES",
            "XDBucketForGeneralizationsstorage": Mutable(generalizations),
            "XDBucketForOwnedAttributesstorage": Mutable(
                {item.name: properties[entity.name, item.name] for item in entity.properties}
            ),
            **ORDERED,
        }
        settings = {
            "XD_PSK_classMapping": None,
            "XD_PSK_fetchRequestsArray": Mutable([]),
            "XD_PSK_versionHashModifier": entity.modifier,
            "XD_PSK_userInfo": Mutable(dict(entity.user_info)),
            "XD_PSK_isAbstract": entity.abstract,
            "XD_PSK_entityClassName": entity.name,
        }
        owner.keys |= _stereotypes({"XD_PStereotype": settings}, owner)
        for place, item in enumerate(entity.properties, 1):
            instance = properties[entity.name, item.name]
            instance.keys = {"_name": item.name, "_owner": owner, "_default": None, **PROPERTY}
            instance.keys["_uniqueElementID"] = Boxed(1000 * number + place)
            instance.keys |= _stereotypes(_groups(item, model, entities, properties), instance)
    empty = {
        f"XDBucketFor{kind}storage": Mutable({}) for kind in ("Packages", "Interfaces", "DataTypes")
    }
    encoded = {
        f"XDBucketFor{kind}wasEncoded": "YES" for kind in ("Classes", "Packages", "Interfaces", "DataTypes")
    }
    package.keys = {
        "_name": "",
        "_owner": None,
        "_visibility": 0,
        "_uniqueElementID": None,
        "_xd_owningModel": root,
        "XDBucketForClassesstorage": Mutable(dict(entities)),
        **empty,
        **encoded,
    }
    root.keys |= {
        "_xd_rootPackage": package,
        "_xd_comments": Mutable([]),
        "_configurationsByName": Mutable({}),
        "_modelVersionIdentifier": model.identifier or None,
    }
    return archive(root)


def _groups(item, model, entities, properties):
    common = {
        "XD_PPSK_isStoredInTruthFile": False,
        "XD_PPSK_versionHashModifier": None,
        "XD_PPSK_userInfo": Mutable({}),
        "XD_PPSK_isIndexed": getattr(item, "indexed", False),
        "XD_PPSK_isOptional": item.optional,
        "XD_PPSK_isSpotlightIndexed": False,
        "XD_PPSK_elementID": getattr(item, "former_name", None),
        "XD_PPSK_isTransient": getattr(item, "transient", False),
    }
    if isinstance(item, Relationship):
        inverse, owner = model.inverse(item)
        return {
            "XD_PPropStereotype": common,
            "XD_PR_Stereotype": {
                "XD_PRK_inverseRelationship": inverse and properties[owner.name, inverse.name],
                "XD_PRK_destination": entities[item.destination],
                "XD_PRK_minCount": item.minimum,
                "XD_PRK_deleteRule": DELETE_RULES[item.rule],
                "XD_PRK_maxCount": item.maximum,
                "XD_PRK_isToMany": item.to_many,
                "XD_PRK_ordered": item.ordered,
            },
        }
    default = item.default
    return {
        "XD_PPropStereotype": common,
        "XD_PAtt_Stereotype": {
            "XD_PAttK_attributeType": TYPES[item.type][0],
            "XD_PAttK_allowsExternalBinaryDataStorage": item.external,
            "XD_PAttK_defaultValueAsString": None if default is None else str(default),
            "XD_PAttK_minValueString": item.minimum and str(item.minimum),
            "XD_PAttK_maxValueString": item.maximum and str(item.maximum),
            "XD_PAttK_regularExpressionString": None,
            "XD_PAttK_valueTransformerName": item.transformer,
        },
    }
