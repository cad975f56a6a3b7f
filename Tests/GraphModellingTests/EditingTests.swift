// Edits of every kind of property and of the parts of a model, with their effects on other parts.
import ExpectationSupport
import Foundation
import GraphModelFiles
import GraphModelling
import ManagedGraphTools
import TestSupport
import Testing

struct EditingTests {
    private func withSession(_ body: (ModelSession, ModelFolder) throws -> Void) throws {
        let folder = try ModelFolder(versions: ["Model": ModelFolder.sample], current: "Model")
        defer { folder.remove() }
        try body(try ModelSession(opening: folder.url), folder)
    }

    private func entity(_ name: String, in session: ModelSession) throws -> EntityPicture {
        try #require(session.picture().entities.first { $0.name == name })
    }

    private func property(_ name: String, of owner: String, in session: ModelSession) throws -> PropertyPicture {
        try #require(try entity(owner, in: session).properties.first { $0.name == name })
    }

    /// A field of each option that the inspectors have, with the file's text of the new value.
    static let fields: [(ModelPlace, String, ModelEditValue, String)] = [
        (ModelPlace(entity: "Task"), "className", .text("Chore"), "representedClassName=\"Chore\""),
        (ModelPlace(entity: "Task"), "module", .text(""), "representedClassName=\".Task\""),
        (ModelPlace(entity: "Task"), "codeGeneration", .text("Category/Extension"), "codeGenerationType=\"category\""),
        (
            ModelPlace(entity: "List"), "superentity", .text("Item"),
            "representedClassName=\"List\" parentEntity=\"Item\""
        ),
        (ModelPlace(entity: "Task"), "renamingIdentifier", .text("Chore"), "elementID=\"Chore\""),
        (ModelPlace(entity: "Task"), "hashModifier", .text("2"), "versionHashModifier=\"2\""),
        (ModelPlace(entity: "Task"), "spotlightName", .text("title"), "coreSpotlightDisplayNameExpression=\"title\""),
        (ModelPlace(entity: "Task"), "userInfo", .entries(["a": "<b>"]), "<entry key=\"a\" value=\"&lt;b>\"/>"),
        (ModelPlace(entity: "Task"), "constraints", .lists([["priority", "photo"]]), "<constraint value=\"photo\"/>"),
        (ModelPlace(entity: "Task", property: "photo"), "isExternal", .flag(true), "allowsExternalBinaryDataStorage"),
        (ModelPlace(entity: "Task", property: "photo"), "isOptional", .flag(false), "<attribute name=\"photo\" attr"),
        (ModelPlace(entity: "Task", property: "photo"), "isTransient", .flag(true), "transient=\"YES\""),
        (ModelPlace(entity: "Task", property: "photo"), "isPreserved", .flag(true), "preserveAfterDeletion=\"YES\""),
        (ModelPlace(entity: "Task", property: "photo"), "isEncrypted", .flag(true), "allowsCloudEncryption=\"YES\""),
        (ModelPlace(entity: "Item", property: "title"), "isSpotlight", .flag(true), "spotlightIndexingEnabled=\"YES\""),
        (ModelPlace(entity: "Item", property: "title"), "isIndexed", .flag(true), "indexed=\"YES\""),
        (ModelPlace(entity: "Item", property: "title"), "isStoredInTruthFile", .flag(true), "storedInTruthFile"),
        (ModelPlace(entity: "Item", property: "title"), "maximum", .text("80"), "maxValueString=\"80\""),
        (ModelPlace(entity: "Item", property: "title"), "pattern", .text("a+"), "regularExpressionString=\"a+\""),
        (ModelPlace(entity: "Item", property: "title"), "defaultValue", .text("New"), "defaultValueString=\"New\""),
        (ModelPlace(entity: "Item", property: "made"), "derivation", .text("now()"), "derivationExpression=\"now()\""),
        (ModelPlace(entity: "Item", property: "made"), "defaultValue", .text("2001-01-02"), "TimeInterval=\"86400\""),
        (
            ModelPlace(entity: "Item", property: "made"), "minimum", .text("2001-01-01T00:01:00Z"),
            "minDateTimeInterval=\"60\""
        ),
        (ModelPlace(entity: "Task", property: "priority"), "type", .text("Decimal"), "attributeType=\"Decimal\""),
        (ModelPlace(entity: "Task", property: "priority"), "minimum", .text("-1"), "minValueString=\"-1\""),
        (
            ModelPlace(entity: "Task", property: "priority"), "usesScalar", .flag(false),
            "\"Integer 16\" defaultValueString=\"0\" usesScalarValueType=\"NO\""
        ),
        (ModelPlace(entity: "Task", property: "colour"), "transformer", .text("Ink"), "valueTransformerName=\"Ink\""),
        (ModelPlace(entity: "Task", property: "colour"), "valueClass", .text("Ink"), "customClassName=\"Ink\""),
        (ModelPlace(entity: "Task", property: "place"), "composite", .text("Spot"), "<composite name=\"Spot\">"),
        (
            ModelPlace(entity: "Task", property: "place", element: "latitude"), "isOptional", .flag(true),
            "\"latitude\" optional"
        ),
        (ModelPlace(entity: "List", property: "tasks"), "deleteRule", .text("Deny"), "deletionRule=\"Deny\""),
        (ModelPlace(entity: "List", property: "tasks"), "isOrdered", .flag(true), "ordered=\"YES\""),
        (ModelPlace(entity: "List", property: "tasks"), "minCount", .number(1), "minCount=\"1\""),
        (ModelPlace(entity: "List", property: "tasks"), "maxCount", .number(9), "maxCount=\"9\""),
        (
            ModelPlace(entity: "Task", property: "list"), "isToMany", .flag(true),
            "name=\"list\" optional=\"YES\" toMany"
        ),
        (ModelPlace(entity: "Task", property: "urgent"), "predicate", .text("priority > 4"), "priority > 4"),
        (ModelPlace(entity: "Task", property: "urgent"), "entity", .text("List"), "entity=\"List\" predicateString"),
        (ModelPlace(request: "Urgent"), "fetchLimit", .number(5), "fetchLimit=\"5\""),
        (ModelPlace(request: "Urgent"), "batchSize", .number(5), "fetchBatchSize=\"5\""),
        (ModelPlace(request: "Urgent"), "resultType", .text("Object IDs"), "resultType=\"1\""),
        (ModelPlace(request: "Urgent"), "includesSubentities", .flag(false), "includeSubentities=\"NO\""),
        (ModelPlace(request: "Urgent"), "includesPropertyValues", .flag(false), "includePropertyValues=\"NO\""),
        (ModelPlace(request: "Urgent"), "returnsFaults", .flag(false), "returnObjectsAsFaults=\"NO\""),
        (ModelPlace(request: "Urgent"), "returnsDistinct", .flag(true), "returnDistinctResults=\"YES\""),
        (ModelPlace(request: "Urgent"), "includesPending", .flag(false), "includesPendingChanges=\"NO\""),
        (ModelPlace(configuration: "Cloud"), "entities", .texts(["Task", "List"]), "<memberEntity name=\"Task\"/>"),
        (
            ModelPlace(configuration: "Cloud"), "isUsedWithCloudKit", .flag(true),
            "name=\"Cloud\" usedWithCloudKit=\"YES\""
        ),
        (ModelPlace(), "identifier", .text("7"), "userDefinedModelVersionIdentifier=\"7\""),
        (ModelPlace(), "language", .text("Objective-C"), "sourceLanguage=\"Objective-C\""),
        (ModelPlace(), "isUsedWithCloudKit", .flag(true), "usedWithCloudKit=\"YES\""),
    ]

    @Test func everyFieldIsWrittenAsTheConverterWritesIt() throws {
        for (place, field, value, text) in Self.fields {
            try withSession { session, folder in
                try session.apply(.set(place: place, field: field, value: value))
                try session.save()
                let written = try folder.contents(of: "Model")
                #expect(!ModelFolder.sample.contains(text), "\(field) already has \(text)")
                #expect(written.contains(text), "\(field): \(written)")
                // The comment and all other lines are as they were.
                let old = ModelFolder.sample.split(separator: "\n", omittingEmptySubsequences: false)
                let new = written.split(separator: "\n", omittingEmptySubsequences: false)
                let difference = new.difference(from: old)
                #expect(difference.insertions.count <= 9 && difference.removals.count <= 4, "\(field): \(difference)")
                // The saved text means the same as the one that `model convert` writes for the model.
                let version = folder.url.appendingPathComponent("Model.xcdatamodel")
                let converted = folder.folder.appendingPathComponent("Converted.xcdatamodel")
                let model = try NamedModel.read(version.path)
                _ = try ModelOutput(converted).write(
                    [.init(name: "Converted", model: model.model)],
                    current: "Converted"
                )
                let read = try NamedModel.read(converted.path)
                expectEqual(read.model, model.model, "\(field)")
                session.undo()
                try session.save()
                try expectEqual(folder.contents(of: "Model"), ModelFolder.sample, "\(field)")
            }
        }
    }

    @Test func aRelationshipIsDrawnWithItsInverse() throws {
        try withSession { session, _ in
            try session.apply(
                .addRelationship(
                    entity: "List",
                    destination: "Item",
                    name: "",
                    isToMany: true,
                    inverse: "",
                    isInverseToMany: false
                )
            )
            let there = try property("items", of: "List", in: session)
            expectEqual(there.inverse, "list1")
            expectEqual(there.isToMany, true)
            expectEqual(there.maxCount, 0)
            let back = try property("list1", of: "Item", in: session)
            expectEqual(back.inverse, "items")
            expectEqual(back.isToMany, false)
            expectEqual(back.destination, "List")
            #expect(session.picture().problems.isEmpty)
            session.undo()
            try expectEqual(entity("Item", in: session).properties.count, 2)
        }
    }

    @Test func aDuplicateHasAClassInTheSameModule() throws {
        try withSession { session, _ in
            let task = ModelPlace(entity: "Task")
            try session.apply(.set(place: task, field: "module", value: .text("")))
            try session.apply(.duplicate(place: task))
            let copy = try entity("TaskCopy", in: session)
            expectEqual(copy.className, "TaskCopy")
            expectEqual(copy.module, "")
        }
    }

    @Test func renamingFollowsEveryReference() throws {
        try withSession { session, _ in
            try session.apply(.rename(place: ModelPlace(entity: "List"), name: "Board"))
            try expectEqual(entity("Board", in: session).className, "Board")
            try expectEqual(property("list", of: "Task", in: session).destination, "Board")
            expectEqual(session.picture().configurations[0].entities, ["Board"])
            expectEqual(session.picture().positions.map(\.entity), ["Item", "Task", "Board"])
            try session.apply(.rename(place: ModelPlace(entity: "Board", property: "tasks"), name: "chores"))
            try expectEqual(property("list", of: "Task", in: session).inverse, "chores")
            try session.apply(.rename(place: ModelPlace(entity: "Board", property: "name"), name: "title"))
            try expectEqual(entity("Board", in: session).constraints, [["title"]])
            try session.apply(.rename(place: ModelPlace(entity: "Task", property: "priority"), name: "rank"))
            try expectEqual(entity("Task", in: session).indexes[0].elements[0].property, "rank")
            try session.apply(.rename(place: ModelPlace(entity: "Item"), name: "Thing"))
            try expectEqual(entity("Task", in: session).superentity, "Thing")
        }
    }

    @Test func removingLeavesNoDanglingReference() throws {
        try withSession { session, _ in
            try session.apply(.remove(place: ModelPlace(entity: "List")))
            #expect(try !entity("Task", in: session).properties.contains { $0.name == "list" })
            expectEqual(session.picture().configurations[0].entities, [])
            expectEqual(session.picture().positions.map(\.entity), ["Item", "Task"])
            try session.apply(.remove(place: ModelPlace(entity: "Item")))
            try expectNil(entity("Task", in: session).superentity)
            try session.apply(.remove(place: ModelPlace(entity: "Task", property: "priority")))
            #expect(try entity("Task", in: session).indexes.isEmpty)
            try session.apply(.remove(place: ModelPlace(request: "Urgent")))
            try session.apply(.remove(place: ModelPlace(configuration: "Cloud")))
            #expect(!session.picture().problems.contains { $0.level == "error" && $0.place.property != "urgent" })
            while session.undo() != nil {}
            expectEqual(session.picture().isChanged, false)
        }
    }

    @Test func removingAnEntityClearsReferencesToInheritedProperties() throws {
        try withSession { session, _ in
            let task = ModelPlace(entity: "Task")
            try session.apply(
                .addRelationship(
                    entity: "Item",
                    destination: "List",
                    name: "board",
                    isToMany: false,
                    inverse: "things",
                    isInverseToMany: true
                )
            )
            // The inverse of List.things is one that Task inherits.
            let things = ModelPlace(entity: "List", property: "things")
            try session.apply(.set(place: things, field: "destination", value: .text("Task")))
            try session.apply(.set(place: things, field: "inverse", value: .text("board")))
            // Taking the inverse away from one side takes it away from the other.
            let board = ModelPlace(entity: "Item", property: "board")
            try session.apply(.set(place: board, field: "inverse", value: .none))
            try expectNil(property("things", of: "List", in: session).inverse)
            session.undo()
            try session.apply(.set(place: task, field: "constraints", value: .lists([["title", "priority"]])))
            let element = IndexElementPicture(property: "title", isRTree: false, isAscending: true)
            let index = IndexPicture(name: "byTitle", elements: [element])
            try session.apply(.set(place: task, field: "indexes", value: .indexes([index])))
            expectEqual(session.picture().problems, [])
            try session.apply(.remove(place: ModelPlace(entity: "Item")))
            expectEqual(session.picture().problems, [])
            try expectNil(property("things", of: "List", in: session).inverse)
            try expectEqual(entity("Task", in: session).constraints, [["priority"]])
            try expectEqual(entity("Task", in: session).indexes, [])
            try expectEqual(property("list", of: "Task", in: session).inverse, "tasks")
        }
    }

    @Test func refusedEditsNameTheRemedyAndChangeNothing() throws {
        try withSession { session, _ in
            let revision = session.picture().revision
            let refused: [ModelEdit] = [
                .rename(place: ModelPlace(entity: "Task"), name: "List"),
                .rename(place: ModelPlace(entity: "Task"), name: "1 Task"),
                .rename(place: ModelPlace(entity: "Task", property: "priority"), name: "title"),
                .set(place: ModelPlace(entity: "Item"), field: "superentity", value: .text("Task")),
                .set(place: ModelPlace(entity: "Task", property: "priority"), field: "defaultValue", value: .text("x")),
                .set(place: ModelPlace(entity: "Task", property: "priority"), field: "minimum", value: .text("x")),
                .set(place: ModelPlace(entity: "Task", property: "priority"), field: "nonsense", value: .flag(true)),
                .set(place: ModelPlace(entity: "Task", property: "list"), field: "inverse", value: .text("nothing")),
                .set(place: ModelPlace(entity: "Task", property: "list"), field: "minCount", value: .number(-1)),
                .set(place: ModelPlace(entity: "Nothing"), field: "isAbstract", value: .flag(true)),
                // XML has no spelling for these characters.
                .set(place: ModelPlace(entity: "Task"), field: "userInfo", value: .entries(["a": "b\u{0B}"])),
                .set(
                    place: ModelPlace(entity: "Item", property: "title"),
                    field: "defaultValue",
                    value: .text("\u{1}")
                ),
                .set(place: ModelPlace(), field: "minimumTools", value: .text("\u{FFFE}")),
                .addRelationship(
                    entity: "Task",
                    destination: "Nothing",
                    name: "",
                    isToMany: true,
                    inverse: nil,
                    isInverseToMany: false
                ),
                .arrange(cards: [CardPosition(entity: "Task", x: .infinity, y: 0)]),
            ]
            for edit in refused {
                let error = #expect(throws: ModelSessionError.self, "\(edit)") { try session.apply(edit) }
                expectEqual(error?.remedy.isEmpty, false)
            }
            expectEqual(session.picture().revision, revision)
            expectEqual(session.picture().isChanged, false)
        }
    }

    @Test func compositesAreEditedInOnePlace() throws {
        try withSession { session, _ in
            try session.apply(.addProperty(entity: "List", kind: .attribute, name: "home"))
            let home = ModelPlace(entity: "List", property: "home")
            try session.apply(.set(place: home, field: "type", value: .text("Composite")))
            try session.apply(.set(place: home, field: "composite", value: .text("Place")))
            try expectEqual(property("home", of: "List", in: session).elements?.map(\.name), ["latitude", "longitude"])
            try session.apply(.addElement(entity: "Task", property: "place", name: "height"))
            try session.apply(
                .set(
                    place: ModelPlace(entity: "Task", property: "place", element: "height"),
                    field: "type",
                    value: .text("Double")
                )
            )
            try expectEqual(property("home", of: "List", in: session).elements?.last?.type, "Double")
            try session.apply(
                .remove(place: ModelPlace(entity: "List", property: "home", element: "latitude"))
            )
            try expectEqual(property("place", of: "Task", in: session).elements?.map(\.name), ["longitude", "height"])
        }
    }

    @Test func aCompositeTypeThatOnlyElementsHaveKeepsItsElements() throws {
        try withSession { session, _ in
            try session.apply(.addElement(entity: "Task", property: "place", name: "point"))
            let point = ModelPlace(entity: "Task", property: "place", element: "point")
            try session.apply(.set(place: point, field: "type", value: .text("Composite")))
            let element = ModelPlace(entity: "Task", property: "place", element: "point.element")
            try session.apply(.rename(place: element, name: "x"))
            try session.apply(.addProperty(entity: "List", kind: .attribute, name: "home"))
            let home = ModelPlace(entity: "List", property: "home")
            try session.apply(.set(place: home, field: "type", value: .text("Composite")))
            try session.apply(.set(place: home, field: "composite", value: .text("Point")))
            try expectEqual(property("home", of: "List", in: session).elements?.map(\.name), ["x"])
            let elements = try property("place", of: "Task", in: session).elements
            expectEqual(elements?.last?.elements?.map(\.name), ["x"])
        }
    }

    @Test func aCompositeTypeIsNotPutIntoItself() throws {
        try withSession { session, _ in
            try session.apply(.addElement(entity: "Task", property: "place", name: "place"))
            let element = ModelPlace(entity: "Task", property: "place", element: "place")
            let before = session.picture().revision
            // The new type would be named Place, as the type around it.
            let error = #expect(throws: ModelSessionError.self) {
                try session.apply(.set(place: element, field: "type", value: .text("Composite")))
            }
            expectEqual(error?.place, element)
            expectEqual(session.picture().revision, before)
            try session.apply(.rename(place: element, name: "inner"))
            let inner = ModelPlace(entity: "Task", property: "place", element: "inner")
            try session.apply(.set(place: inner, field: "type", value: .text("Composite")))
            #expect(throws: ModelSessionError.self) {
                try session.apply(.set(place: inner, field: "composite", value: .text("Place")))
            }
            let deeper = ModelPlace(entity: "Task", property: "place", element: "inner.element")
            try session.apply(.set(place: deeper, field: "type", value: .text("Composite")))
            #expect(throws: ModelSessionError.self) {
                try session.apply(.set(place: deeper, field: "composite", value: .text("Place")))
            }
        }
    }

    @Test func indexesFollowTheElementsOfComposites() throws {
        try withSession { session, _ in
            func index(_ names: String...) -> ModelEditValue {
                let elements = names.map { IndexElementPicture(property: $0, isRTree: false, isAscending: true) }
                return .indexes([IndexPicture(name: "byPlace", elements: elements)])
            }
            func names(_ owner: String) throws -> [String?] {
                try entity(owner, in: session).indexes.flatMap(\.elements).map(\.property)
            }
            try session.apply(.addProperty(entity: "List", kind: .attribute, name: "home"))
            let home = ModelPlace(entity: "List", property: "home")
            try session.apply(.set(place: home, field: "type", value: .text("Composite")))
            try session.apply(.set(place: home, field: "composite", value: .text("Place")))
            try session.apply(
                .set(place: ModelPlace(entity: "Task"), field: "indexes", value: index("place.latitude", "priority"))
            )
            try session.apply(.set(place: ModelPlace(entity: "List"), field: "indexes", value: index("home.latitude")))
            let latitude = ModelPlace(entity: "Task", property: "place", element: "latitude")
            try session.apply(.rename(place: latitude, name: "north"))
            try expectEqual(names("Task"), ["place.north", "priority"])
            try expectEqual(names("List"), ["home.north"])
            try session.apply(.remove(place: ModelPlace(entity: "List", property: "home", element: "north")))
            try expectEqual(names("Task"), ["priority"])
            try expectEqual(names("List"), [])
        }
    }

    @Test func aPictureOfChangesHasOnlyTheChangedEntities() throws {
        try withSession { session, _ in
            let whole = session.picture()
            #expect(!whole.isPartial)
            expectEqual(whole.entities.count, 3)
            try session.apply(.set(place: ModelPlace(entity: "List"), field: "isAbstract", value: .flag(true)))
            let changes = session.picture(changedSince: whole.revision)
            #expect(changes.isPartial)
            expectEqual(changes.entities.map(\.name), ["List"])
            expectEqual(changes.entityNames, whole.entityNames)
            // An inherited change counts for the subentity.
            try session.apply(.addProperty(entity: "Item", kind: .attribute, name: "note"))
            expectEqual(session.picture(changedSince: changes.revision).entities.map(\.name), ["Item", "Task"])
        }
    }

    @Test func aSessionForgetsOldRevisions() throws {
        try withSession { session, _ in
            let first = session.picture()
            for number in 0..<12 {
                let place = ModelPlace(entity: "List")
                try session.apply(.set(place: place, field: "isAbstract", value: .flag(number % 2 == 0)))
                // Some revisions are never shown.
                if number % 3 == 0 { _ = session.picture() }
            }
            #expect(!session.picture(changedSince: first.revision).isPartial)
        }
    }

    @Test func randomEditsAreUndoneAndRedone() throws {
        var generator = SeededNumbers(seed: 20)
        try withSession { session, folder in
            var texts = [session.picture()]
            for _ in 0..<120 {
                let edit = RandomEdits.edit(of: session.picture(), using: &generator)
                guard (try? session.apply(edit)) != nil else { continue }
                let picture = session.picture()
                if picture.undoTitle != nil { texts.append(picture) }
            }
            #expect(texts.count > 60)
            let last = session.picture()
            while session.undo() != nil {}
            let first = session.picture()
            #expect(first.entities == texts[0].entities && first.positions == texts[0].positions)
            #expect(first.requests == texts[0].requests && first.configurations == texts[0].configurations)
            expectEqual(first.isChanged, false)
            while session.redo() != nil {}
            let again = session.picture()
            expectEqual(again.entities, last.entities)
            expectEqual(again.positions, last.positions)
            try session.save(acceptingErrors: true)
            let read = try ModelSession(opening: folder.url).picture()
            expectEqual(read.entities, last.entities)
            expectEqual(read.problems, last.problems)
        }
    }
}
