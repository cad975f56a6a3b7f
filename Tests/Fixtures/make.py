#!/usr/bin/env python3
"""Writes the fixtures of Tests/FixtureTests: stores, models, mapping models and archives in Core Data's formats.

They are made from Documentation/FileFormats.md alone, with Python's standard library and without the Swift code, so
that a second implementation of the formats is read by ours. All names and contents are invented (worlds.py). Run it
after a change of the formats or of worlds.py; the same input gives the same files, of databases the same content.
`make.py --check` changes nothing; it fails if the files are not those that the script would write.
"""

import base64
import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import more_worlds  # noqa: E402
import worlds  # noqa: E402
from formats import compiled, editor, file_stores, mapping, sqlite_store, xcode  # noqa: E402
from formats.archive import archive  # noqa: E402

FOLDER = Path(__file__).resolve().parent


def models():
    harbour = [worlds.harbour_1(), worlds.harbour_2()]
    xcode.write_versions(harbour, FOLDER / "Harbour.xcdatamodeld")
    compiled.write_versions(harbour, FOLDER / "Harbour.momd")
    garden = worlds.garden()
    xcode.write_model(garden, FOLDER / "Garden.xcdatamodel")
    (FOLDER / "Garden.mom").write_bytes(compiled.compiled(garden))
    xcode.write_model(worlds.ledger(), FOLDER / "Ledger.xcdatamodel")
    xcode.write_model(worlds.album(), FOLDER / "Album.xcdatamodel")
    xcode.write_versions(more_worlds.orchards(), FOLDER / "Orchard.xcdatamodeld")
    compiled.write_versions(more_worlds.orchards(), FOLDER / "Orchard.momd")
    xcode.write_versions([more_worlds.gallery()], FOLDER / "Gallery.xcdatamodeld")
    # A model from before Xcode 4.
    folder = FOLDER / "OldHarbour.xcdatamodel"
    folder.mkdir(exist_ok=True)
    (folder / "elements").write_bytes(editor.editor_model(worlds.harbour_1()))


def mappings():
    harbour = [worlds.harbour_1(), worlds.harbour_2()]
    versions = [(model, f"Harbour.xcdatamodeld/{model.name}.xcdatamodel") for model in harbour]
    mapping.write_source(
        worlds.harbour_mappings(),
        *versions,
        FOLDER / "Harbour.xcmappingmodel",
        "11111111-2222-4333-8444-555555555508",
        removed=[mapping.EntityMapping("Berth", "Berth"), mapping.EntityMapping(None, "Signal")],
    )
    mapping.write_compiled(worlds.harbour_mappings(), *harbour, FOLDER / "Harbour.cdm")
    mapping.write_source(
        more_worlds.homeward_mappings(),
        *reversed(versions),
        FOLDER / "Homeward.xcmappingmodel",
        "11111111-2222-4333-8444-555555555510",
    )
    mapping.write_compiled(more_worlds.homeward_mappings(), *reversed(harbour), FOLDER / "Homeward.cdm")


def stores():
    sqlite_store.write(worlds.harbour_store_1(), FOLDER / "Harbour1.sqlite")
    sqlite_store.write(worlds.harbour_store_2(), FOLDER / "Harbour2.sqlite")
    sqlite_store.write(worlds.antique_harbour_store(), FOLDER / "HarbourAntique.sqlite")
    sqlite_store.write(worlds.logged_harbour_store(), FOLDER / "HarbourLogged.sqlite", worlds.logged_changes)
    sqlite_store.write(worlds.garden_store(), FOLDER / "Garden.sqlite")
    sqlite_store.write(worlds.ledger_store(), FOLDER / "Ledger.sqlite")
    file_stores.write_xml(worlds.ledger_store(), FOLDER / "Ledger.xml")
    file_stores.write_binary(worlds.ledger_store(), FOLDER / "Ledger.binary")
    sqlite_store.write(worlds.album_store(), FOLDER / "Album.sqlite")
    sqlite_store.write(more_worlds.gallery_store(), FOLDER / "Gallery.sqlite")


def archives():
    predicates = worlds.predicates()
    (FOLDER / "Predicates.archive").write_bytes(archive([predicate for _, predicate in predicates]))
    (FOLDER / "SortDescriptors.archive").write_bytes(archive(worlds.sort_descriptors()))


def hashes():
    """The version hashes of every file of a model, with the digest and the checksum of each model."""
    source, old, mom = "xcdatamodel-xml", "xcdatamodel-elements", "mom"
    harbour = [worlds.harbour_1(), worlds.harbour_2()]
    files = [("OldHarbour.xcdatamodel/elements", old, harbour[0]), ("Garden.mom", mom, worlds.garden())]
    for name, versions in [
        ("Harbour", harbour), ("Orchard", more_worlds.orchards()), ("Gallery", [more_worlds.gallery()]),
    ]:
        for model in versions:
            files.append((f"{name}.xcdatamodeld/{model.name}.xcdatamodel/contents", source, model))
            if name != "Gallery":
                files.append((f"{name}.momd/{model.name}.mom", mom, model))
    for model in [worlds.garden(), worlds.ledger(), worlds.album()]:
        files.append((f"{model.name}.xcdatamodel/contents", source, model))
    pairs = [
        {
            "model_file": path,
            "model_kind": kind,
            "entity": entity,
            "hash": base64.b64encode(value).decode(),
            "confidence": "high",
        }
        for path, kind, model in files
        for entity, value in sorted(model.hashes().items())
    ]
    write_json(pairs, "hashpairs.json")
    digests = [
        {"model_file": path, "model_kind": kind, "digest": model.digest(), "checksum": model.checksum()}
        for path, kind, model in files
    ]
    write_json(digests, "digests.json")


def write_json(value, name):
    (FOLDER / name).write_text(json.dumps(value, indent=1) + "\n")


def write_all():
    models()
    mappings()
    stores()
    archives()
    hashes()


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check():
    """Writes all files into a copy of the folder and returns the names of those that changed.

    A file of the folder that the script neither is nor writes is found, too.
    """
    global FOLDER
    own = FOLDER
    by_hand = {"predicates.json", "predicate-truth.json"}
    with tempfile.TemporaryDirectory() as place:
        FOLDER = Path(place, "copy")
        shutil.copytree(own, FOLDER, ignore=shutil.ignore_patterns("__pycache__"))
        before = contents(FOLDER)
        write_all()
        changed = {name for name, data in contents(FOLDER).items() if before.get(name) != data}
        FOLDER = Path(place, "new")
        FOLDER.mkdir()
        write_all()
        written = contents(FOLDER)
    unknown = {name for name in before if name not in written and not name.endswith(".py") and name not in by_hand}
    return sorted(changed | unknown)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        names = check()
        for name in names:
            print(f"{name} is not as make.py writes it")
        sys.exit(1 if names else 0)
    write_all()
