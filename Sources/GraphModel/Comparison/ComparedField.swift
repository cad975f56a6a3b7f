// The values of entities and properties that a comparison of models covers, each with its stable name. Called by
// ModelComparison. The hash functions themselves determine whether a value is hashed, so that no list can go stale.
import Foundation

/// A value of an entity or of a property that two versions are compared by.
struct ComparedField<Whole> {
    let name: String
    /// The value as text; nil for none.
    let text: (Whole) -> String?
    /// Copies the value from one whole to another.
    let copy: (Whole, inout Whole) -> Void

    init<Value>(_ name: String, _ path: WritableKeyPath<Whole, Value>, _ text: @escaping (Value) -> String?) {
        self.name = name
        self.text = { text($0[keyPath: path]) }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    init(_ name: String, _ path: WritableKeyPath<Whole, Bool>) {
        self.init(name, path) { $0 ? "yes" : "no" }
    }

    init(_ name: String, _ path: WritableKeyPath<Whole, String?>) {
        self.init(name, path) { $0 }
    }

    /// The change of this value; nil if it is the same.
    ///
    /// - Parameters:
    ///   - old: The older whole.
    ///   - new: The newer whole.
    ///   - hash: Hashes a whole, called with and without the change.
    /// - Returns: The change.
    func change(from old: Whole, to new: Whole, hash: (Whole) -> Data) -> FieldChange? {
        let (before, after) = (text(old), text(new))
        guard before != after else { return nil }
        var probe = old
        copy(new, &probe)
        return FieldChange(field: name, before: before, after: after, isHashed: hash(probe) != hash(old))
    }
}

extension ComparedField<PropertyCommon> {
    static var common: [ComparedField] {
        [
            ComparedField("optional", \.isOptional), ComparedField("transient", \.isTransient),
            ComparedField("readOnly", \.isReadOnly), ComparedField("indexed", \.isIndexed),
            ComparedField("spotlight", \.isIndexedBySpotlight),
            ComparedField("externalRecord", \.isStoredInExternalRecord),
            ComparedField("validations", \.validations) { rules in
                FieldText.list(rules.map { $0.predicateFormat + ($0.warning.map { " (\($0))" } ?? "") })
            },
            ComparedField("renamingIdentifier", \.renamingIdentifier),
            ComparedField("hashModifier", \.versionHashModifier),
            ComparedField("userInfo", \.userInfo) { FieldText.userInfo($0) },
        ]
    }
}

extension ComparedField<Attribute> {
    static var attribute: [ComparedField] {
        [
            ComparedField("type", \.type) { $0.title },
            ComparedField("default", \.defaultValue) { FieldText.value($0) },
            ComparedField("derivation", \.derivationExpressionFormat),
            ComparedField("elements", \.elements) { FieldText.list($0.map(FieldText.element)) },
            ComparedField("externalStorage", \.allowsExternalBinaryDataStorage),
            ComparedField("preservedOnDeletion", \.preservesValueInHistoryOnDeletion),
            ComparedField("cloudEncryption", \.allowsCloudEncryption),
            ComparedField("transformer", \.valueTransformerName), ComparedField("valueClass", \.customClassName),
            ComparedField("scalar", \.usesScalarValue),
        ]
    }
}

extension ComparedField<Relationship> {
    static var relationship: [ComparedField] {
        [
            ComparedField("destination", \.destinationEntityName) { $0 }, ComparedField("inverse", \.inverseName),
            ComparedField("toMany", \.isToMany), ComparedField("ordered", \.isOrdered),
            ComparedField("minCount", \.minCount) { "\($0)" },
            ComparedField("maxCount", \.maxCount) { $0 == 0 ? "unlimited" : "\($0)" },
            ComparedField("deleteRule", \.deleteRule) { $0.title },
        ]
    }
}

extension ComparedField<Entity> {
    static var entity: [ComparedField] {
        [
            ComparedField("class", \.className), ComparedField("codeGeneration", \.codeGeneration) { $0.title },
            ComparedField("abstract", \.isAbstract),
            ComparedField("constraints", \.uniquenessConstraints) { constraints in
                FieldText.list(constraints.map { $0.joined(separator: " + ") }.sorted())
            },
            ComparedField("indexes", \.indexes) { FieldText.list($0.map(FieldText.index).sorted()) },
            ComparedField("compoundIndexes", \.compoundIndexes) { indexes in
                FieldText.list(indexes.map { $0.joined(separator: " + ") }.sorted())
            },
            ComparedField("renamingIdentifier", \.renamingIdentifier),
            ComparedField("hashModifier", \.versionHashModifier),
            ComparedField("userInfo", \.userInfo) { FieldText.userInfo($0) },
        ]
    }
}
