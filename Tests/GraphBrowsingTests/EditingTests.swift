// Staged edits: validated, undone, saved or dropped together, and conflicts with other writers value by value.
import ExpectationSupport
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph
import Testing

struct Editing {
    @Test func anEditIsStagedUntilItIsSaved() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        let state = try await staged.apply([StagedEdit(.set, object: ace, property: "weight", text: "13")])
        expectEqual(state.changes.map(\.link.title), ["Ace"])
        expectEqual(
            state.changes.first?.values.map { "\($0.property) \($0.before?.text ?? "") \($0.after.text ?? "")" },
            [
                "weight 12.5 13.0"
            ]
        )
        let request = RowRequest(entity: "Pet", sort: ["name"], columns: ["name", "weight"], limit: 1)
        let mine = try await kennel.session.window(request, staged: staged)
        #expect(mine.rows[0].state == .updated && mine.rows[0].changed == [1] && mine.rows[0].cells[1].text == "13.0")
        #expect(try await kennel.session.window(request).texts("weight") == ["12.5"])
        #expect(try await staged.save().isSaved)
        #expect(try await kennel.session.window(request).texts("weight") == ["13.0"])
        #expect(await staged.state().changes.isEmpty)
    }

    @Test func stepsAreUndoneAndRedoneOneByOne() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        _ = try await staged.apply([StagedEdit(.set, object: ace, property: "name", text: "Asta")])
        _ = try await staged.apply([
            StagedEdit(.set, object: ace, property: "weight", text: "1"),
            StagedEdit(.set, object: ace, property: "isTame", text: "true"),
        ])
        let once = await staged.undo()
        expectEqual(once.changes.first?.values.map(\.property), ["name"])
        #expect(once.canUndo && once.canRedo)
        let none = await staged.undo()
        #expect(none.changes.isEmpty && !none.canUndo)
        _ = await staged.redo()
        let all = await staged.redo()
        expectEqual(all.changes.first?.values.map(\.property), ["name", "isTame", "weight"])
        #expect(await staged.discard().changes.isEmpty)
    }

    @Test func aRejectedValueChangesNothingAndNamesTheForm() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        let error = await #expect(throws: NSError.self) {
            try await staged.apply([
                StagedEdit(.set, object: ace, property: "name", text: "Asta"),
                StagedEdit(.set, object: ace, property: "number", text: "70000"),
            ])
        }
        expectEqual(error?.localizedDescription.contains("number"), true)
        #expect(error?.localizedRecoverySuggestion != nil)
        #expect(await staged.state().changes.isEmpty)
        #expect(await !staged.state().canUndo)
    }

    @Test func aBatchThatIsRejectedAfterManyStepsChangesNothingAndCannotBeRedone() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        for number in 1...200 {
            _ = try await staged.apply([StagedEdit(.set, object: ace, property: "weight", text: "\(number)")])
        }
        await #expect(throws: NSError.self) {
            try await staged.apply([
                StagedEdit(.set, object: ace, property: "name", text: "Asta"),
                StagedEdit(.set, object: ace, property: "number", text: "70000"),
            ])
        }
        let state = await staged.state()
        expectEqual(state.changes.first?.values.map(\.property), ["weight"])
        #expect(state.canUndo && !state.canRedo)
        let undone = await staged.undo()
        expectEqual(undone.changes.first?.values.first?.after.text, "199.0")
    }

    @Test func violatedRulesAreListedByObjectAndKeepTheRest() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        let state = try await staged.apply([
            StagedEdit(.set, object: ace, property: "name", text: nil), StagedEdit(.insert, entity: "Owner"),
        ])
        expectEqual(Set(state.problems.compactMap(\.property)), ["name"])
        expectEqual(Set(state.problems.compactMap { $0.link?.entity }), ["Pet", "Owner"])
        let saved = try await staged.save()
        #expect(!saved.isSaved)
        expectEqual(saved.changes.count, 2)
        _ = try await staged.apply([
            StagedEdit(.set, object: ace, property: "name", text: "Ace"),
            StagedEdit(.set, object: state.created[0], property: "name", text: "Dora"),
        ])
        #expect(try await staged.save().isSaved)
        #expect(try await kennel.session.window(RowRequest(entity: "Owner")).total == 4)
    }

    @Test func aValueThatMustBeUniqueIsReportedAndTheChangesStay() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let created = try await staged.apply([StagedEdit(.insert, entity: "Owner")]).created
        _ = try await staged.apply([StagedEdit(.set, object: created[0], property: "name", text: "Ada")])
        let refused = try await staged.save()
        #expect(!refused.isSaved && !refused.problems.isEmpty)
        expectEqual(refused.changes.map(\.link.title), ["Ada"])
        _ = try await staged.apply([StagedEdit(.set, object: created[0], property: "name", text: "Adam")])
        #expect(try await staged.save().isSaved)
        #expect(try await kennel.session.window(RowRequest(entity: "Owner")).total == 4)
    }

    @Test func newObjectsAppearInTheWindowOfTheirEntity() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let created = try await staged.apply([StagedEdit(.insert, entity: "Dog")]).created
        let window = try await kennel.session.window(RowRequest(entity: "Pet", limit: 2), staged: staged)
        expectEqual(window.inserted.map(\.id), created)
        expectEqual(window.inserted.first?.state, .inserted)
        let copy = try await staged.apply([StagedEdit(.duplicate, object: kennel.id("Pet", "Bella"))])
        let values = copy.changes.first { $0.link.id == copy.created[0] }?.values
        expectEqual(values?.first { $0.property == "name" }?.after.text, "Bella")
        expectEqual(values?.first { $0.property == "owner" }?.after.object?.title, "Ada")
        #expect(try await kennel.session.object(copy.created[0], staged: staged).state == .inserted)
    }

    @Test func relationshipsAreEditedFromBothSides() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let (duke, cleo) = (try await kennel.id("Pet", "Duke"), try await kennel.id("Owner", "Cleo"))
        let bella = try await kennel.id("Pet", "Bella")
        _ = try await staged.apply([StagedEdit(.replace, object: duke, property: "owner", members: [cleo])])
        let state = try await staged.apply([StagedEdit(.add, object: cleo, property: "pets", members: [bella])])
        expectEqual(state.changes.map(\.link.title).sorted(), ["Bella", "Duke"])
        #expect(try await staged.save().isSaved)
        let pets = try await kennel.session.window(
            RowRequest(entity: "Pet", sort: ["name"], columns: ["name"], owner: .init(id: cleo, relationship: "pets"))
        )
        expectEqual(pets.texts("name"), ["Bella", "Duke"])
        let candidates = try await kennel.session.candidates("Pet", search: "ELL")
        expectEqual(candidates.map(\.title), ["Bella"])
        await #expect(throws: NSError.self) {
            try await staged.apply([StagedEdit(.replace, object: duke, property: "owner", members: [bella])])
        }
    }

    @Test func aDeletionListsEverythingThatGoesAlong() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let bob = try await kennel.id("Owner", "Bob")
        let forecast = try await staged.forecastDeletion(of: [bob])
        expectEqual(
            forecast.deleted.map { "\($0.entity) \($0.count) \($0.causes)" },
            [
                "Dog 1 [\"Owner.pets\"]", "Pet 1 [\"Owner.pets\"]",
            ]
        )
        expectEqual(forecast.deleted.last?.examples.map(\.title), ["Cody"])
        #expect(await staged.state().changes.isEmpty)
        let state = try await staged.apply([StagedEdit(.delete, object: bob)])
        expectEqual(state.changes.map(\.state), [.deleted, .deleted, .deleted])
        let window = try await kennel.session.window(RowRequest(entity: "Pet", sort: ["name"]), staged: staged)
        expectEqual(window.rows.map(\.state), [nil, nil, .deleted, nil, .deleted])
        #expect(try await staged.save().isSaved)
        #expect(try await kennel.session.window(RowRequest(entity: "Pet")).total == 3)
    }

    @Test func aDeniedDeletionNamesTheRule() async throws {
        let kennel = try Kennel()
        let staged = StagedEdits(kennel.session)
        let (fox, ace) = (try await kennel.id("Vet", "Dr. Fox"), try await kennel.id("Pet", "Ace"))
        _ = try await staged.apply([StagedEdit(.add, object: fox, property: "patients", members: [ace])])
        let forecast = try await staged.forecastDeletion(of: [fox])
        expectEqual(forecast.denials.first?.property, "patients")
        #expect(forecast.nullified.isEmpty || forecast.nullified.first?.causes == ["Pet.vets"])
    }

    @Test func twoReadersOfOneObjectAreAskedValueByValue() async throws {
        let kennel = try Kennel()
        let (mine, theirs) = (StagedEdits(kennel.session), StagedEdits(kennel.session))
        let ace = try await kennel.id("Pet", "Ace")
        _ = try await mine.apply([
            StagedEdit(.set, object: ace, property: "name", text: "Mine"),
            StagedEdit(.set, object: ace, property: "weight", text: "1"),
        ])
        _ = try await theirs.apply([
            StagedEdit(.set, object: ace, property: "name", text: "Theirs"),
            StagedEdit(.set, object: ace, property: "number", text: "7"),
        ])
        #expect(try await theirs.save().isSaved)
        let refused = try await mine.save()
        #expect(!refused.isSaved)
        let conflict = try #require(refused.conflicts.first)
        expectEqual(
            conflict.values.map {
                "\($0.property) \($0.base.text ?? "–") \($0.mine.text ?? "–") \($0.theirs.text ?? "–") \($0.isContested)"
            },
            ["name Ace Mine Theirs true", "number – – 7 false", "weight 12.5 1.0 12.5 false"]
        )
        let resolved = await mine.resolve([ConflictChoice(object: ace, property: "name", side: .theirs)])
        #expect(resolved.conflicts.isEmpty)
        expectEqual(resolved.changes.first?.values.map(\.property), ["weight"])
        #expect(try await mine.save().isSaved)
        let details = try await kennel.session.object(ace)
        let texts = details.fields.map { "\($0.property.name) \($0.cell.text ?? "–")" }
        expectEqual(texts.prefix(4), ["name Theirs", "isTame false", "number 7", "weight 1.0"])
    }

    @Test func aRowDeletedElsewhereCanBeInsertedAgainOrDropped() async throws {
        for side in [ConflictChoice.Side.mine, .theirs] {
            let kennel = try Kennel()
            let staged = StagedEdits(kennel.session)
            let duke = try await kennel.id("Pet", "Duke")
            _ = try await staged.apply([StagedEdit(.set, object: duke, property: "name", text: "Duke II")])
            try kennel.elsewhere { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Pet")
                request.predicate = NSPredicate(format: "name == %@", "Duke")
                try context.fetch(request).forEach(context.delete)
            }
            let refused = try await staged.save()
            expectEqual(refused.conflicts.first?.isDeletedElsewhere, true)
            let resolved = await staged.resolve([ConflictChoice(object: duke, side: side)])
            expectEqual(resolved.changes.count, (side == .mine ? 1 : 0))
            #expect(try await staged.save().isSaved)
            let rest = try await kennel.session.window(RowRequest(entity: "Pet", predicate: "name == \"Duke II\""))
            expectEqual(rest.total, (side == .mine ? 1 : 0))
        }
    }

    @Test func aRowThatIsInsertedAgainKeepsItsRelatedObjects() async throws {
        for side in [ConflictChoice.Side.mine, .theirs] {
            let kennel = try Kennel()
            let staged = StagedEdits(kennel.session)
            let ace = try await kennel.id("Pet", "Ace")
            let fox = try await kennel.id("Vet", "Dr. Fox")
            _ = try await staged.apply([
                StagedEdit(.set, object: ace, property: "name", text: "Ace II"),
                StagedEdit(.add, object: ace, property: "vets", members: [fox]),
            ])
            try kennel.elsewhere { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Pet")
                request.predicate = NSPredicate(format: "name == %@", "Ace")
                try context.fetch(request).forEach(context.delete)
            }
            #expect(try await staged.save().conflicts.contains { $0.isDeletedElsewhere })
            let resolved = await staged.resolve([ConflictChoice(object: ace, side: side)])
            expectEqual(resolved.changes.isEmpty, side == .theirs)
            #expect(try await staged.save().isSaved)
            let predicate = "name == \"Ace II\" AND owner.name == \"Ada\" AND ANY vets.name == \"Dr. Fox\""
            let rest = try await kennel.session.window(RowRequest(entity: "Pet", predicate: predicate))
            expectEqual(rest.total, (side == .mine ? 1 : 0))
        }
    }

    @Test func objectsThatChangeTheirOwnerKeepTheReadersOneIfTheOtherWasDeletedElsewhere() async throws {
        for side in [ConflictChoice.Side.mine, .theirs] {
            let kennel = try Kennel()
            let staged = StagedEdits(kennel.session)
            let ada = try await kennel.id("Owner", "Ada")
            let bob = try await kennel.id("Owner", "Bob")
            let ace = try await kennel.id("Pet", "Ace")
            let cody = try await kennel.id("Pet", "Cody")
            _ = try await staged.apply([
                StagedEdit(.set, object: ada, property: "name", text: "Ada II"),
                StagedEdit(.replace, object: ace, property: "owner", members: [bob]),
                StagedEdit(.replace, object: cody, property: "owner", members: [ada]),
            ])
            try kennel.elsewhere { context in
                let pets = NSFetchRequest<NSManagedObject>(entityName: "Pet")
                pets.predicate = NSPredicate(format: "name == %@", "Ace")
                for pet in try context.fetch(pets) { pet.setValue(nil, forKey: "owner") }
                let owners = NSFetchRequest<NSManagedObject>(entityName: "Owner")
                owners.predicate = NSPredicate(format: "name == %@", "Ada")
                try context.fetch(owners).forEach(context.delete)
            }
            #expect(try await staged.save().conflicts.contains { $0.isDeletedElsewhere })
            #expect(await staged.resolve([ConflictChoice(object: ada, side: side)]).conflicts.isEmpty)
            #expect(try await staged.save().isSaved)
            let request = RowRequest(
                entity: "Pet",
                predicate: "owner != nil",
                sort: ["name"],
                columns: ["name", "owner"]
            )
            let rows = try await kennel.session.window(request)
            expectEqual(rows.texts("name"), ["Ace", "Cody", "Echo"])
            expectEqual(rows.texts("owner"), ["Bob", side == .mine ? "Ada II" : "Bob", "Bob"])
        }
    }

    @Test func aReadOnlySessionRefusesEachEditWithTheRemedy() async throws {
        let kennel = try Kennel(isWritable: false)
        let staged = StagedEdits(kennel.session)
        let ace = try await kennel.id("Pet", "Ace")
        for kind in [StagedEdit.Kind.set, .replace, .add, .remove, .insert, .duplicate, .delete] {
            let error = await #expect(throws: NSError.self) {
                try await staged.apply([StagedEdit(kind, object: ace, property: "name", entity: "Pet")])
            }
            expectEqual(error?.localizedRecoverySuggestion?.contains("--write"), true)
        }
    }
}
