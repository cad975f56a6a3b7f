#!/usr/bin/env python3
"""Writes the fixtures of Tests/FixtureTests: stores, models, mapping models and archives in Core Data's formats.

They are made from Documentation/FileFormats.md alone, with Python's standard library and without the Swift code, so
that a second implementation of the formats is read by ours. All names and contents are invented (worlds.py). Run it
after a change of the formats or of worlds.py; the same input gives the same files, of databases the same content.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

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
    )
    mapping.write_compiled(worlds.harbour_mappings(), *harbour, FOLDER / "Harbour.cdm")


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


def archives():
    predicates = worlds.predicates()
    (FOLDER / "Predicates.archive").write_bytes(archive([predicate for _, predicate in predicates]))
    (FOLDER / "SortDescriptors.archive").write_bytes(archive(worlds.sort_descriptors()))


if __name__ == "__main__":
    models()
    mappings()
    stores()
    archives()
