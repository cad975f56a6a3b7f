// Values of models as readable text. Called by ComparedField and ModelComparison, and for forecasts of migrations.
// Comparisons look at these texts alone: a change that the texts do not show is not found.
import Foundation

package enum FieldText {
    static func list(_ items: [String]) -> String? { items.isEmpty ? nil : items.joined(separator: ", ") }

    static func userInfo(_ info: [String: String]) -> String? {
        list(info.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    }

    /// A default value; nil for none.
    package static func value(_ value: DefaultValue?) -> String? {
        switch value {
        case nil: nil
        case .string(let text): "\"\(text)\""
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .boolean(let flag): flag ? "yes" : "no"
        case .date(let date): date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .data(let data): "data \(data.base64EncodedString())"
        case .archive(let data): "archive \(data.base64EncodedString())"
        }
    }

    static func index(_ index: FetchIndex) -> String {
        let elements = index.elements.map { element in
            let name = element.propertyName ?? element.expressionFormat ?? "?"
            return name + (element.isRTree ? " r-tree" : "") + (element.isAscending ? "" : " descending")
        }
        let condition = index.partialPredicateFormat.map { " where \($0)" } ?? ""
        return "\(index.name)(\(elements.joined(separator: ", "))\(condition))"
    }

    static func element(_ element: Attribute) -> String { "\(element.name): \(summary(.attribute(element)))" }

    static func request(_ request: FetchRequestTemplate) -> String {
        var parts = [request.entityName]
        if let format = request.predicateFormat { parts.append("where \(format)") }
        if !request.sortKeys.isEmpty {
            let keys = request.sortKeys.map { ($0.ascending ? "" : "-") + $0.key }
            parts.append("by \(keys.joined(separator: ", "))")
        }
        let plain = FetchRequestTemplate(name: request.name, entityName: request.entityName)
        func add(_ name: String, _ path: KeyPath<FetchRequestTemplate, some Equatable>) {
            if request[keyPath: path] != plain[keyPath: path] { parts.append("\(name) \(request[keyPath: path])") }
        }
        add("limit", \.fetchLimit)
        add("batch size", \.fetchBatchSize)
        add("result type", \.resultType)
        add("subentities", \.includesSubentities)
        add("property values", \.includesPropertyValues)
        add("faults", \.returnsObjectsAsFaults)
        add("distinct", \.returnsDistinctResults)
        add("pending changes", \.includesPendingChanges)
        return parts.joined(separator: " ")
    }

    /// A short description of a property.
    package static func summary(_ property: Property) -> String {
        let presence = property.common.isOptional ? "optional" : "required"
        switch property {
        case .attribute(let attribute):
            let form = attribute.derivationExpressionFormat.map { ", derived from \($0)" } ?? ""
            let start = value(attribute.defaultValue).map { ", default \($0)" } ?? ""
            let transient = attribute.common.isTransient ? ", transient" : ""
            return "\(attribute.type.title), \(presence)\(transient)\(start)\(form)"
        case .relationship(let relationship):
            let order = relationship.isOrdered ? "ordered " : ""
            let inverse = relationship.inverseName.map { ", inverse \($0)" } ?? ", no inverse"
            let count = relationship.isToMany ? "to-many" : "to-one"
            return "\(order)\(count) \(relationship.destinationEntityName), \(presence)\(inverse)"
        case .fetched(let fetched):
            return "fetches \(request(fetched.request))"
        }
    }
}

extension AttributeType {
    /// The name in Xcode's editor.
    package var title: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary Data"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}

extension DeleteRule {
    /// The name in Xcode's editor.
    package var title: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}

extension CodeGeneration {
    /// The name in Xcode's editor.
    package var title: String {
        switch self {
        case .manual: "Manual/None"
        case .classDefinition: "Class Definition"
        case .category: "Category/Extension"
        }
    }
}
