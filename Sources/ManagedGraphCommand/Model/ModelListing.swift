// Models as text. Used by `managedgraph model show`.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraphTools

struct ModelListing {
    private let output: Output

    init(_ output: Output) { self.output = output }

    /// Writes a model, with all its entities or only those with the given names.
    func write(_ namedModel: NamedModel, file: String, entities: [String]) throws {
        let model = namedModel.model
        try output.line(output.paint(TextWidth.harmless("\(StoreLocation.shown(file)): \(namedModel.name)"), .bold))
        if namedModel.versions.count > 1 { try fact("versions", namedModel.versions.joined(separator: ", ")) }
        let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
        if !identifiers.isEmpty { try fact("identifiers", identifiers.joined(separator: ", ")) }
        try fact("checksum", model.versionChecksum())
        for entity in model.entities where entities.isEmpty || entities.contains(entity.name) {
            try write(entity)
        }
        guard entities.isEmpty else { return }
        if !model.configurations.isEmpty { try output.line() }
        for configuration in model.configurations {
            let list = "\(configuration.name): \(configuration.entityNames.joined(separator: ", "))"
            try output.line("\(output.paint("configuration", .dim)) \(TextWidth.harmless(list))")
        }
        if !model.fetchRequestTemplates.isEmpty { try output.line() }
        for template in model.fetchRequestTemplates {
            let request = "\(template.name): \(Self.text(template))"
            try output.line("\(output.paint("template", .dim)) \(TextWidth.harmless(request))")
        }
    }

    private func fact(_ name: String, _ value: String) throws {
        try output.line("  \(output.paint(name, .dim)) \(TextWidth.harmless(value))")
    }

    private func write(_ entity: Entity) throws {
        var facts: [String] = []
        if let name = entity.className { facts.append("class \(name)") }
        switch entity.codeGeneration {
        case .manual: break
        case .classDefinition: facts.append("class generated")
        case .category: facts.append("extension generated")
        }
        if let parent = entity.superentityName { facts.append("is a \(parent)") }
        if entity.isAbstract { facts.append("abstract") }
        facts += Self.identity(entity.renamingIdentifier, entity.versionHashModifier)
        try output.line()
        try output.line(
            output.paint(TextWidth.harmless(entity.name), .cyan)
                + (facts.isEmpty ? "" : "  " + TextWidth.harmless(facts.joined(separator: ", ")))
        )
        let rows = entity.properties.map { property in
            switch property {
            case .attribute(let attribute):
                (attribute.name, attribute.type.title, Self.facts(attribute))
            case .relationship(let relationship):
                (relationship.name, Self.arrow(relationship), Self.facts(relationship))
            case .fetched(let fetched):
                (fetched.name, "fetched", [Self.text(fetched.request)] + Self.facts(fetched.common))
            }
        }
        let widths = (
            rows.map { TextWidth.columns($0.0) }.max() ?? 0, rows.map { TextWidth.columns($0.1) }.max() ?? 0
        )
        for (name, type, facts) in rows {
            let line =
                "  \(Self.padded(name, widths.0))  \(Self.padded(type, widths.1))  "
                + TextWidth.harmless(facts.joined(separator: ", "))
            try output.line(Self.trimmed(line))
        }
        for index in entity.indexes {
            let elements = index.elements.map { element in
                (element.propertyName ?? element.expressionFormat ?? "") + (element.isAscending ? "" : " descending")
                    + (element.isRTree ? " R-tree" : "")
            }
            let partial = index.partialPredicateFormat.map { " where \($0)" } ?? ""
            try fact("index", "\(index.name): \(elements.joined(separator: ", "))\(partial)")
        }
        for names in entity.compoundIndexes { try fact("index", names.joined(separator: ", ")) }
        for names in entity.uniquenessConstraints { try fact("unique", names.joined(separator: ", ")) }
        for (key, value) in entity.userInfo.sorted(by: { $0.key < $1.key }) {
            try fact("user info", "\(key) = \(value)")
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        let text = TextWidth.harmless(text)
        return text + String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Parts

    private static func identity(_ renaming: String?, _ modifier: String?) -> [String] {
        [renaming.map { "renamed from \($0)" }, modifier.map { "hash modifier \($0)" }].compactMap(\.self)
    }

    private static func facts(_ common: PropertyCommon) -> [String] {
        var facts: [String] = []
        if common.isOptional { facts.append("optional") }
        if common.isTransient { facts.append("transient") }
        if common.isIndexed { facts.append("indexed") }
        if common.isIndexedBySpotlight { facts.append("in Spotlight") }
        facts += common.validations.map { "rule \($0.predicateFormat)" }
        facts += identity(common.renamingIdentifier, common.versionHashModifier)
        facts += common.userInfo.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        return facts
    }

    private static func facts(_ attribute: Attribute) -> [String] {
        var facts: [String] = []
        if let value = attribute.defaultValue { facts.append("default \(value.title)") }
        if let derivation = attribute.derivationExpressionFormat { facts.append("derived from \(derivation)") }
        if attribute.usesScalarValue { facts.append("scalar") }
        if attribute.allowsExternalBinaryDataStorage { facts.append("may be external") }
        if attribute.preservesValueInHistoryOnDeletion { facts.append("preserved on deletion") }
        if attribute.allowsCloudEncryption { facts.append("encrypted in the cloud") }
        if let name = attribute.valueTransformerName { facts.append("transformer \(name)") }
        if let name = attribute.customClassName { facts.append("value class \(name)") }
        if !attribute.elements.isEmpty {
            facts.append("of " + attribute.elements.map { "\($0.name) \($0.type.title)" }.joined(separator: ", "))
        }
        return Self.facts(attribute.common) + facts
    }

    private static func arrow(_ relationship: Relationship) -> String {
        "\(relationship.isToMany ? "->>" : "->") \(relationship.destinationEntityName)"
            + (relationship.inverseName.map { ".\($0)" } ?? "")
    }

    private static func facts(_ relationship: Relationship) -> [String] {
        var facts = [relationship.deleteRule.title]
        if relationship.isOrdered { facts.append("ordered") }
        if relationship.minCount > 0 { facts.append("at least \(relationship.minCount)") }
        if relationship.isToMany, relationship.maxCount > 0 { facts.append("at most \(relationship.maxCount)") }
        return Self.facts(relationship.common) + facts
    }

    private static func text(_ request: FetchRequestTemplate) -> String {
        var summary = request.entityName
        if let format = request.predicateFormat { summary += " where \(format)" }
        if !request.sortKeys.isEmpty {
            summary += " by " + request.sortKeys.map { ($0.ascending ? "" : "-") + $0.key }.joined(separator: ", ")
        }
        if request.fetchLimit > 0 { summary += " limit \(request.fetchLimit)" }
        return summary
    }
}

extension AttributeType {
    /// The name that Xcode shows.
    var title: String { fileName ?? "Undefined" }
}

extension DeleteRule {
    /// The name that Xcode shows, in lowercase.
    var title: String { fileName.lowercased() }
}

extension DefaultValue {
    /// The value as text: dates in UTC, bytes in base64.
    var title: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .boolean(let flag): flag ? "YES" : "NO"
        case .date(let date): date.formatted(.iso8601)
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .data(let data), .archive(let data): data.base64EncodedString()
        }
    }
}
