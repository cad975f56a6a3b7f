// The errors of a save and their userInfo: one case for each code with keys of its own.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct SaveErrors {
    /// A way to make a save fail.
    struct Case: Sendable, CustomTestStringConvertible {
        let code: Int
        /// The error's keys besides text and remedy.
        let keys: Set<String>
        var testDescription: String { "\(code)" }
    }

    private static let validation: Set<String> = [NSValidationKeyErrorKey, NSValidationObjectErrorKey]
    private static let conflict: Set<String> = [NSPersistentStoreSaveConflictsErrorKey, NSAffectedObjectsErrorKey]

    static let cases = [
        Case(code: 513, keys: [NSAffectedStoresErrorKey, NSFilePathErrorKey]),
        Case(
            code: NSManagedObjectValidationError,
            keys: validation.union([NSValidationValueErrorKey, NSAffectedObjectsErrorKey])
        ),
        Case(code: NSValidationMultipleErrorsError, keys: [NSDetailedErrorsKey]),
        Case(code: NSValidationMissingMandatoryPropertyError, keys: validation),
        Case(code: NSValidationRelationshipLacksMinimumCountError, keys: validation.union([NSValidationValueErrorKey])),
        Case(code: NSValidationRelationshipExceedsMaximumCountError, keys: validation),
        Case(code: NSValidationRelationshipDeniedDeleteError, keys: validation.union([NSValidationValueErrorKey])),
        Case(
            code: NSValidationStringTooLongError,
            keys: validation.union([NSValidationValueErrorKey, NSValidationPredicateErrorKey])
        ),
        Case(code: NSManagedObjectExternalRelationshipError, keys: [NSAffectedObjectsErrorKey]),
        Case(code: NSManagedObjectMergeError, keys: conflict.union([NSUpdatedObjectsKey])),
        Case(code: NSManagedObjectConstraintMergeError, keys: conflict.union([NSInsertedObjectsKey])),
        Case(code: NSPersistentStoreIncompleteSaveError, keys: [NSAffectedStoresErrorKey, NSUnderlyingErrorKey]),
    ]

    private func model() throws -> NSManagedObjectModel {
        let model = RelationsModel.make(
            (.many("Team.players", minimum: 1, maximum: 2, optional: false), .one("Player.team")),
            (.many("Club.members", .denyDeleteRule), .one("Member.club"))
        )
        let player = try #require(model.entitiesByName["Player"])
        player.uniquenessConstraints = [["name"]]
        player.attributesByName["name"]?.setValidationPredicates(
            [NSPredicate(format: "length <= 5")],
            withValidationWarnings: [NSValidationStringTooLongError]
        )
        player.attributesByName["number"]?.isOptional = false
        player.attributesByName["number"]?.defaultValue = 0
        return model
    }

    @Test(arguments: cases) func eachErrorNamesItsObjectAndKey(row: Case) throws {
        let model = try model()
        let stack = try Stack(model: model)
        let context = stack.context
        let error = try #require(
            try context.performAndWait { () throws in
                try fail(row.code, stack, context)
                let saving = row.code == 513 ? try readOnly(stack) : context
                return #expect(throws: NSError.self) { try saving.performAndWait { () throws in try saving.save() } }
            }
        )
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, row.code, "\(error)")
        for key in row.keys { #expect(error.userInfo[key] != nil, "\(key) of \(row.code)") }
        #expect(!error.localizedDescription.isEmpty && error.localizedRecoverySuggestion != nil)
    }

    private func readOnly(_ stack: Stack) throws -> NSManagedObjectContext {
        let context = try stack.contextOfAnotherCoordinator(options: [NSReadOnlyPersistentStoreOption: true])
        try context.performAndWait { () throws in _ = try context.make("Player", "p") }
        return context
    }

    /// Makes changes that cannot be saved.
    private func fail(_ code: Int, _ stack: Stack, _ context: NSManagedObjectContext) throws {
        let player = try context.make("Player", "p")
        switch code {
        case 513: break
        case NSManagedObjectValidationError:
            let team = try context.make("Team", "t")
            player.setValue(team, forKey: "team")
            try context.save()
            player.setValue(nil, forKey: "team")
            context.delete(team)
            context.processPendingChanges()
            player.setValue(team, forKey: "team")
        case NSValidationMultipleErrorsError:
            player.setValue("too long", forKey: "name")
            player.setValue(nil, forKey: "number")
        case NSValidationMissingMandatoryPropertyError: player.setValue(nil, forKey: "number")
        case NSValidationRelationshipLacksMinimumCountError: _ = try context.make("Team", "t")
        case NSValidationRelationshipExceedsMaximumCountError:
            let team = try context.make("Team", "t")
            for name in ["a", "b", "c"] { try context.make("Player", name).setValue(team, forKey: "team") }
        case NSValidationRelationshipDeniedDeleteError:
            let club = try context.make("Club", "c")
            try context.make("Member", "m").setValue(club, forKey: "club")
            try context.save()
            context.delete(club)
        case NSValidationStringTooLongError: player.setValue("too long", forKey: "name")
        case NSManagedObjectExternalRelationshipError:
            let second = try stack.coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType,
                configurationName: nil,
                at: nil
            )
            let team = try context.make("Team", "t")
            context.assign(team, to: second)
            player.setValue(team, forKey: "team")
        case NSManagedObjectMergeError:
            try context.save()
            let other = stack.otherContext()
            try other.performAndWait { () throws in
                try other.find("Player", "p").setValue(2, forKey: "number")
                try other.save()
            }
            player.setValue(3, forKey: "number")
        case NSManagedObjectConstraintMergeError: _ = try context.make("Player", "p")
        case NSPersistentStoreIncompleteSaveError:
            let second = try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType,
                configurationName: nil,
                at: stack.folder.appending(path: "Second.sqlite")
            )
            context.assign(try context.make("Player", "q"), to: second)
            second.failNextCommit()
        default: Issue.record("no way to fail with \(code)")
        }
    }
}
