// Recognizes the methods that Core Data would implement for @NSManaged declarations and determines their bodies. Used
// by AccessorWriter.
import GraphModel

/// The implementation of a managed method.
struct ManagedMethodBody {
    var key: String
    /// The call, with the property's constant as `%` and the parameters as `$0`, `$1`.
    var call: String

    /// A pattern of method name and labels.
    private struct Form {
        var prefix: String
        var suffix = ""
        var labels: [String?]
        var call: String
        /// The label that contains the key, as in `insertObject(_:inTasksAtIndex:)`: its index, prefix and suffix.
        var keyLabel: (index: Int, prefix: String, suffix: String)?
    }

    private static let forms: [Form] = [
        Form(prefix: "addTo", labels: [nil], call: "addToManaged($0, for: %)"),
        Form(prefix: "removeFrom", labels: [nil], call: "removeFromManaged($0, for: %)"),
        Form(prefix: "removeFrom", labels: ["at"], call: "removeFromManaged(at: $0, for: %)"),
        Form(prefix: "insertInto", labels: [nil, "at"], call: "insertIntoManaged($0, at: $1, for: %)"),
        Form(prefix: "replace", labels: ["at", "with"], call: "replaceManaged(at: $0, with: $1, for: %)"),
        Form(prefix: "add", suffix: "Object", labels: [nil], call: "addToManaged($0, for: %)"),
        Form(prefix: "remove", suffix: "Object", labels: [nil], call: "removeFromManaged($0, for: %)"),
        Form(prefix: "add", labels: [nil], call: "addToManaged($0, for: %)"),
        Form(prefix: "remove", labels: [nil], call: "removeFromManaged($0, for: %)"),
        Form(prefix: "primitive", labels: [], call: "managedPrimitiveValue(for: %)"),
        Form(prefix: "setPrimitive", labels: [nil], call: "setManagedPrimitiveValue($0, for: %)"),
        Form(
            prefix: "insertObject",
            labels: [nil, ""],
            call: "insertIntoManaged($0, at: $1, for: %)",
            keyLabel: (1, "in", "AtIndex")
        ),
        Form(
            prefix: "removeObjectFrom",
            suffix: "AtIndex",
            labels: [nil],
            call: "removeFromManaged(at: $0, for: %)"
        ),
        Form(
            prefix: "replaceObject",
            labels: ["", "with"],
            call: "replaceManaged(at: $0, with: $1, for: %)",
            keyLabel: (0, "in", "AtIndex")
        ),
        Form(
            prefix: "replaceObject",
            labels: ["", "withObject"],
            call: "replaceManaged(at: $0, with: $1, for: %)",
            keyLabel: (0, "in", "AtIndex")
        ),
    ]

    /// Recognizes a method; nil if its name and labels match no form, or the model has no such property.
    ///
    /// - Parameters:
    ///   - method: The declaration.
    ///   - properties: The properties of its class, or nil if no model has the class.
    init?(_ method: DeclaredMethod, properties: [String: Property]?) {
        for form in Self.forms {
            guard let part = Self.keyPart(of: method, form), let key = ManagedKeys.key(part, in: properties) else {
                continue
            }
            self.key = key
            call = form.call
            return
        }
        return nil
    }

    private static func keyPart(of method: DeclaredMethod, _ form: Form) -> Substring? {
        guard method.parameters.count == form.labels.count else { return nil }
        for (index, (label, parameter)) in zip(form.labels, method.parameters).enumerated()
        where index != form.keyLabel?.index && label != parameter.label {
            return nil
        }
        if let place = form.keyLabel {
            guard method.name == form.prefix, let label = method.parameters[place.index].label else { return nil }
            return between(label, place.prefix, place.suffix)
        }
        return between(method.name, form.prefix, form.suffix)
    }

    private static func between(_ name: String, _ prefix: String, _ suffix: String) -> Substring? {
        let isLonger = name.count > prefix.count + suffix.count
        guard isLonger, name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        return name.dropFirst(prefix.count).dropLast(suffix.count)
    }
}
