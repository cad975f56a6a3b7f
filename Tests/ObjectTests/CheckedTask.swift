// A class with its own validators, which records its calls. Used by ValidationCodes.
import Foundation
import ManagedGraph

/// A class with its own validators, registered as by the build plugin.
final class CheckedTask: NSManagedObject {
    /// The keys passed to validateValue(_:forKey:).
    var asked: [String] = []
    var validations: [String] = []

    static let registered: Void = {
        ManagedObjectRegistry.register(module: "ObjectTests") {
            ModuleRegistration(
                models: [],
                classes: [
                    ModuleRegistration.Class(
                        name: "CheckedTask",
                        type: CheckedTask.self,
                        validators: [
                            "text": { object, value in
                                guard let text = value as? String else { return }
                                if text == "bad" { throw CheckedTask.error(1, object) }
                                value = text.trimmingCharacters(in: .whitespaces)
                            },
                            "owner": { object, value in
                                // The name stands for a missing owner.
                                if (value as? NSManagedObject)?.value(forKey: "name") as? String == "refused" {
                                    value = nil
                                }
                            },
                        ]
                    )
                ]
            )
        }
    }()

    static func error(_ code: Int, _ object: NSManagedObject) -> NSError {
        NSError(domain: "checks", code: code, userInfo: [NSValidationObjectErrorKey: object])
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        asked.append(key)
        try super.validateValue(&value, forKey: key)
    }

    /// Runs super's validation and a rule over two properties, and combines their errors as in Apple's guide.
    private func check(_ name: String, _ others: () throws -> Void) throws {
        validations.append(name)
        var errors: [NSError] = []
        do {
            try others()
        } catch let error as NSError {
            let isList = error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
            errors += isList ? error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] : [error]
        }
        if (value(forKey: "start") as? Int ?? 0) > (value(forKey: "end") as? Int ?? 0) {
            errors.append(Self.error(2, self))
        }
        guard errors.count > 1 else {
            if let error = errors.first { throw error }
            return
        }
        throw NSError(
            domain: NSCocoaErrorDomain,
            code: NSValidationMultipleErrorsError,
            userInfo: [NSDetailedErrorsKey: errors]
        )
    }

    override func validateForInsert() throws { try check("insert") { try super.validateForInsert() } }
    override func validateForUpdate() throws { try check("update") { try super.validateForUpdate() } }
    override func validateForDelete() throws { try check("delete") { try super.validateForDelete() } }
}
