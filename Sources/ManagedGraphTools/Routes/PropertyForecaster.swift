// The changes to the properties of an entity that exists in both versions, as far as the models determine them. Used by
// MigrationForecaster, which adds the findings from the rows.
import GraphModel
import ManagedGraph

/// Compares the properties of an entity in two versions.
struct PropertyForecaster {
    private let old: Model
    private let new: Model

    init(_ old: Model, _ new: Model) { (self.old, self.new) = (old, new) }

    /// The changes for an entity's objects, inherited properties included.
    func properties(_ pair: EntityPair, _ oldName: String, _ newName: String) -> [PropertyForecast] {
        let before = Dictionary(old.stored(ofEntityNamed: oldName)) { first, _ in first }
        let after = Dictionary(new.stored(ofEntityNamed: newName)) { first, _ in first }
        var result: [PropertyForecast] = []
        let pairs = pair.attributes + pair.relationships
        for item in pairs {
            guard let property = after[item.destination] else { continue }
            guard let source = item.source, let former = before[source] else {
                result.append(PropertyForecast(kind: .added, name: item.destination, detail: Self.text(property)))
                continue
            }
            if let change = Self.change(former, property, item) { result.append(change) }
        }
        let mappedNames = Set(pairs.compactMap(\.source))
        for (name, property) in old.stored(ofEntityNamed: oldName) where !mappedNames.contains(name) {
            result.append(PropertyForecast(kind: .dropped, name: name, detail: Self.text(property)))
        }
        return result
    }

    private static func change(_ old: Property, _ new: Property, _ item: PropertyPair) -> PropertyForecast? {
        var parts: [String] = []
        var kind = PropertyForecast.Kind.changed
        if item.source != item.destination { kind = .renamed }
        if old.common.isOptional != new.common.isOptional {
            parts.append(new.common.isOptional ? "optional" : "required")
        }
        switch (old, new) {
        case (.attribute(let before), .attribute(let after)):
            if before.type != after.type {
                kind = .retyped
                parts.append("\(before.type.title) → \(after.type.title)")
            }
            if before.defaultValue != after.defaultValue {
                let (former, now) = (FieldText.value(before.defaultValue), FieldText.value(after.defaultValue))
                parts.append("default \(former ?? "none") → \(now ?? "none")")
            }
            if before.allowsExternalBinaryDataStorage != after.allowsExternalBinaryDataStorage {
                parts.append(
                    after.allowsExternalBinaryDataStorage ? "large values in files" : "large values in the store"
                )
            }
            if before.derivationExpressionFormat != after.derivationExpressionFormat {
                parts.append(after.derivationExpressionFormat.map { "derived as \($0)" } ?? "no longer derived")
            }
        case (.relationship(let before), .relationship(let after)):
            if before.isToMany != after.isToMany {
                kind = .retyped
                parts.append(after.isToMany ? "to one → to many" : "to many → to one")
            }
            if before.isToMany, after.isToMany, before.isOrdered != after.isOrdered {
                parts.append(after.isOrdered ? "ordered, in the order of the keys" : "unordered: the order is dropped")
            }
            if before.destinationEntityName != after.destinationEntityName {
                parts.append("to \(before.destinationEntityName) → to \(after.destinationEntityName)")
            }
            if before.inverseName != after.inverseName {
                parts.append("inverse \(before.inverseName ?? "none") → \(after.inverseName ?? "none")")
            }
            if (before.minCount, before.maxCount) != (after.minCount, after.maxCount), before.isToMany == after.isToMany
            {
                parts.append("count \(before.minCount)…\(before.maxCount) → \(after.minCount)…\(after.maxCount)")
            }
        default: break
        }
        if Set(old.common.validations) != Set(new.common.validations) {
            parts.append("rules: " + rules(new.common.validations))
        }
        guard kind != .changed || !parts.isEmpty else { return nil }
        let isDefaulted = old.common.isOptional && !new.common.isOptional && kind == .changed
        return PropertyForecast(
            kind: isDefaulted ? .defaulted : kind,
            name: item.destination,
            source: item.source == item.destination ? nil : item.source,
            detail: parts.joined(separator: ", ")
        )
    }

    /// A short description of a property, with its rules.
    private static func text(_ property: Property) -> String {
        let rules = property.common.validations
        return FieldText.summary(property) + (rules.isEmpty ? "" : ", rules: " + Self.rules(rules))
    }

    private static func rules(_ rules: [ValidationRule]) -> String {
        rules.isEmpty ? "none" : rules.map(\.predicateFormat).joined(separator: " and ")
    }
}

extension Model {
    /// The stored properties of an entity: attributes (elements of composites by path) and relationships, inherited
    /// ones included.
    func stored(ofEntityNamed name: String) -> [(String, Property)] {
        let properties = allProperties(ofEntityNamed: name)
        return MappingInference.stored(properties).map { ($0.path, .attribute($0.attribute)) }
            + MappingInference.relationships(properties).map { ($0.name, .relationship($0)) }
    }
}
