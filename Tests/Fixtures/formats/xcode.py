"""Models as Xcode writes them: `.xcdatamodel` folders with `contents`, and `.xcdatamodeld` folders of versions."""

import datetime

from .archive import seconds
from .model import Attribute, FetchedProperty

HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SCALARS = {"Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean"}
PROPERTY_LIST = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
    '<plist version="1.0">\n<dict>\n\t<key>_XCCurrentVersionName</key>\n\t<string>{}</string>\n</dict>\n</plist>\n'
)


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("\n", "&#10;")


def element(name, attributes, children=(), level=0):
    """The lines of an element; attributes without a value are omitted."""
    pairs = "".join(f' {key}="{_escaped(str(value))}"' for key, value in attributes.items() if value is not None)
    indent = "    " * level
    if not children:
        return [f"{indent}<{name}{pairs}/>"]
    return [f"{indent}<{name}{pairs}>", *children, f"{indent}</{name}>"]


def _yes(flag):
    return "YES" if flag else None


def _user_info(values, level):
    if not values:
        return []
    entries = [
        line
        for key, value in sorted(values.items())
        for line in element("entry", {"key": key, "value": value}, level=level + 1)
    ]
    return element("userInfo", {}, entries, level)


def _attribute(item, level=2):
    default = item.default
    if isinstance(default, bool):
        default = "YES" if default else "NO"
    if isinstance(default, datetime.datetime):
        default = int(seconds(default))
    attributes = {
        "name": item.name,
        "optional": _yes(item.optional),
        "transient": _yes(item.transient),
        "attributeType": item.type,
        "composite": item.composite,
        "valueTransformerName": item.transformer,
        "allowsExternalBinaryDataStorage": _yes(item.external),
        "minValueString": item.minimum,
        "maxValueString": item.maximum,
        "defaultDateTimeInterval": default if item.type == "Date" else None,
        "defaultValueString": default if item.type != "Date" else None,
        "derived": _yes(item.derivation),
        "derivationExpression": item.derivation and item.derivation[0],
        "usesScalarValueType": "YES" if item.type in SCALARS else "NO" if item.type in ("Date", "UUID") else None,
        "preserveAfterDeletion": _yes(item.preserved),
        "elementID": item.former_name,
    }
    return element("attribute", attributes, _user_info(item.user_info, level + 1), level)


def _relationship(item, model):
    attributes = {
        "name": item.name,
        "optional": _yes(item.optional),
        "toMany": _yes(item.to_many),
        "minCount": item.minimum or None,
        "maxCount": item.maximum or None,
        "deletionRule": item.rule,
        "ordered": _yes(item.ordered),
        "destinationEntity": item.destination,
        "inverseName": item.inverse,
        "inverseEntity": item.inverse and model.inverse(item)[1].name,
    }
    return element("relationship", attributes, level=2)


def _request(item, level):
    attributes = {
        "name": item.name,
        "entity": item.entity,
        "predicateString": item.predicate and item.predicate[0],
        "resultType": item.result_type or None,
    }
    return element("fetchRequest", attributes, level=level)


def _property(item, model):
    if isinstance(item, Attribute):
        return _attribute(item)
    if isinstance(item, FetchedProperty):
        return element(
            "fetchedProperty", {"name": item.name, "optional": _yes(item.optional)}, _request(item.request, 3), 2
        )
    return _relationship(item, model)


def _entity(entity, model):
    lines = [line for item in entity.properties for line in _property(item, model)]
    for name, members in entity.indexes:
        children = [
            line
            for attribute, ascends in members
            for line in element(
                "fetchIndexElement",
                {"property": attribute, "type": "Binary", "order": "ascending" if ascends else "descending"},
                level=3,
            )
        ]
        lines += element("fetchIndex", {"name": name}, children, 2)
    if entity.unique:
        constraints = [
            line
            for names in entity.unique
            for line in element(
                "uniquenessConstraint",
                {},
                [part for name in names for part in element("constraint", {"value": name}, level=4)],
                3,
            )
        ]
        lines += element("uniquenessConstraints", {}, constraints, 2)
    attributes = {
        "name": entity.name,
        "representedClassName": entity.name,
        "isAbstract": _yes(entity.abstract),
        "parentEntity": entity.parent,
        "versionHashModifier": entity.modifier,
        "syncable": "YES",
    }
    return element("entity", attributes, lines + _user_info(entity.user_info, 2), 1)


def contents(model):
    """The text of a version's `contents`, which has no line break at its end."""
    lines = [line for entity in model.entities for line in _entity(entity, model)]
    for request in model.requests:
        lines += _request(request, 1)
    for name, members in sorted(model.configurations.items()):
        lines += element(
            "configuration",
            {"name": name},
            [line for member in members for line in element("memberEntity", {"name": member}, level=2)],
            1,
        )
    composites = {
        item.composite: item.elements
        for entity in model.entities
        for item in entity.of_kind(Attribute)
        if item.composite
    }
    for name, elements in sorted(composites.items()):
        lines += element("composite", {"name": name}, [line for part in elements for line in _attribute(part)], 1)
    attributes = {
        "type": "com.apple.IDECoreDataModeler.DataModel",
        "documentVersion": "1.0",
        "lastSavedToolsVersion": "22758",
        "systemVersion": "23F79",
        "minimumToolsVersion": "Automatic",
        "sourceLanguage": "Swift",
        "userDefinedModelVersionIdentifier": model.identifier,
    }
    return HEADER + "\n".join(element("model", attributes, lines))


def write_model(model, folder):
    """Writes an `.xcdatamodel` folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "contents").write_text(contents(model))


def write_versions(models, folder):
    """Writes an `.xcdatamodeld` folder; the last version is the current one."""
    for model in models:
        write_model(model, folder / f"{model.name}.xcdatamodel")
    (folder / ".xccurrentversion").write_text(PROPERTY_LIST.format(f"{models[-1].name}.xcdatamodel"))
