// Reads a store's rows with plain SQL, using names derived from the model by Apple's rules, to compare them with
// objects. It shares only the connection with the framework.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Reads one store's file.
struct PlainReading {
    let connection: Connection
    private let url: URL
    private var numbers: [String: Int64] = [:]
    private var joins: [(name: String, columns: Set<String>)] = []
    private let columns = ColumnNames()

    /// Caches columns by property, as finding one requires a walk over the tree.
    private final class ColumnNames {
        var names: [ObjectIdentifier: String] = [:]
    }

    init(_ url: URL) throws {
        self.url = url
        connection = try Connection(path: url.path, mode: .readOnly)
        for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
            if case .text(let name) = row[0], case .integer(let number) = row[1] { numbers[name] = number }
        }
        for case .text(let name)? in try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
        ).map(\.first) {
            let columns = try connection.rows("PRAGMA table_info(\(name))").compactMap { row -> String? in
                if case .text(let column) = row[1] { column } else { nil }
            }
            joins.append((name, Set(columns)))
        }
    }

    /// The columns of an entity's rows by key.
    func rows(of entity: NSEntityDescription) throws -> [Int64: [String: SQLValue]] {
        let table = Self.table(entity)
        let columns = try connection.rows("PRAGMA table_info(\(table))").compactMap { row -> String? in
            if case .text(let column) = row[1] { column } else { nil }
        }
        let number = numbers[entity.name ?? ""]
        var result: [Int64: [String: SQLValue]] = [:]
        for row in try connection.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)") {
            let values = Dictionary(zip(columns, row)) { first, _ in first }
            guard case .integer(let key)? = values["Z_PK"], case .integer(let own)? = values["Z_ENT"] else { continue }
            // A table of one entity is read whatever the entity number of its rows: one store has an outdated one.
            guard entity.superentity != nil || !entity.subentities.isEmpty else {
                result[key] = values
                continue
            }
            // The list may contain a renamed entity under its former name.
            if let number, number != own { continue }
            if number == nil, numbers.contains(where: { $0.value == own && entity.hasEntity($0.key) }) { continue }
            result[key] = values
        }
        return result
    }

    static func table(_ entity: NSEntityDescription) -> String {
        var root = entity
        while let parent = root.superentity { root = parent }
        return "Z" + (root.name ?? "").uppercased()
    }

    /// Describes the difference between a row's columns and an object's property; nil if they agree.
    func difference(
        _ object: NSManagedObject,
        _ property: NSPropertyDescription,
        _ row: [String: SQLValue],
        _ key: Int64
    )
        throws -> String?
    {
        let value = object.value(forKey: property.name)
        switch property {
        case let composite as NSCompositeAttributeDescription:
            let values = value as? [String: Any] ?? [:]
            let wrong = composite.elements.filter {
                !isSame(row["Z" + $0.name.uppercased()] ?? .null, values[$0.name], $0)
            }
            return wrong.isEmpty ? nil : "\(wrong.map(\.name)) differ"
        case let attribute as NSAttributeDescription:
            let stored = row[column(attribute)] ?? .null
            let agree = isSame(stored, value, attribute)
            return agree ? nil : "\(stored) in the row, \(value.map { "\($0)" } ?? "nil") in the object"
        case let relationship as NSRelationshipDescription where !relationship.isToMany:
            var expected: Int64?
            if case .integer(let key)? = row[column(relationship)] { expected = key }
            let actual = (value as? NSManagedObject)?.plainKey
            return expected == actual ? nil : "\(expected ?? 0) in the row, \(actual ?? 0) in the object"
        case let relationship as NSRelationshipDescription:
            let expected = try members(relationship, key)
            var actual: [Int64]
            if let ordered = value as? NSOrderedSet {
                actual = ordered.array.compactMap { ($0 as? NSManagedObject)?.plainKey }
            } else {
                actual = (value as? Set<NSManagedObject> ?? []).map(\.plainKey).sorted()
            }
            return expected == actual ? nil : "\(expected) in the rows, \(actual) in the object"
        default: return nil
        }
    }

    private func members(_ relationship: NSRelationshipDescription, _ key: Int64) throws -> [Int64] {
        guard let destination = relationship.destinationEntity else { return [] }
        let name = relationship.name.uppercased()
        let text: String
        if let inverse = relationship.inverseRelationship, inverse.isToMany {
            let (own, other) = (declaring(relationship), declaring(inverse))
            let plain = ("Z_\(own)\(inverse.name.uppercased())", "Z_\(other)\(name)")
            // If several relationships would have the same column name, a number is appended.
            let candidates = joins.compactMap { join -> (name: String, own: String, other: String)? in
                guard let own = join.columns.first(where: { Self.isNumbered($0, plain.0) }),
                    let other = join.columns.first(where: { Self.isNumbered($0, plain.1) })
                else { return nil }
                return (join.name, own, other)
            }
            guard candidates.count == 1, let join = candidates.first else { return [-1] }
            let order = relationship.isOrdered ? "Z_FOK_\(join.other.dropFirst(2))" : join.other
            text = "SELECT \(join.other) FROM \(join.name) WHERE \(join.own) = ? ORDER BY \(order)"
        } else if let inverse = relationship.inverseRelationship {
            let column = self.column(inverse)
            let order = relationship.isOrdered ? "Z_FOK_\(column.dropFirst())" : "Z_PK"
            text = "SELECT Z_PK FROM \(Self.table(destination)) WHERE \(column) = ? ORDER BY \(order)"
        } else {
            text = "SELECT Z_PK FROM \(Self.table(destination)) WHERE Z\(declaring(relationship))\(name) = ? ORDER BY 1"
        }
        return try connection.rows(text, [.integer(key)]).compactMap {
            if case .integer(let member)? = $0.first { member } else { nil }
        }
    }

    private static func isNumbered(_ column: String, _ plain: String) -> Bool {
        column.hasPrefix(plain) && column.dropFirst(plain.count).allSatisfy(\.isNumber)
    }

    /// The column of an attribute or to-one relationship: its name, with a number if entities of the tree that precede
    /// the declaring one have properties of that name.
    private func column(_ property: NSPropertyDescription) -> String {
        if let cached = columns.names[ObjectIdentifier(property)] { return cached }
        var root = property.entity
        while let parent = root.superentity { root = parent }
        var family: [NSEntityDescription] = []
        func visit(_ entity: NSEntityDescription) {
            family.append(entity)
            entity.subentities.forEach(visit)
        }
        visit(root)
        let earlier = family.filter { (numbers[$0.name ?? ""] ?? 0) < declaring(property) }
        let others = earlier.filter { entity in
            guard let other = entity.propertiesByName[property.name], !other.isTransient else { return false }
            return declaring(other) == numbers[entity.name ?? ""]
        }
        let name = "Z" + property.name.uppercased() + (others.isEmpty ? "" : "\(others.count)")
        columns.names[ObjectIdentifier(property)] = name
        return name
    }

    /// The number of the entity that declares a property.
    private func declaring(_ property: NSPropertyDescription) -> Int64 {
        var entity: NSEntityDescription? = property.entity
        while let parent = entity?.superentity, parent.propertiesByName[property.name] != nil { entity = parent }
        return numbers[entity?.name ?? ""] ?? 0
    }

    private func isSame(_ stored: SQLValue, _ value: Any?, _ attribute: NSAttributeDescription) -> Bool {
        switch (attribute.attributeType, stored) {
        case (.transformableAttributeType, _): return value == nil || stored != .null
        case (_, .null): return value == nil
        case (.integer16AttributeType, .integer(let number)), (.integer32AttributeType, .integer(let number)),
            (.integer64AttributeType, .integer(let number)), (.booleanAttributeType, .integer(let number)):
            return (value as? NSNumber)?.int64Value == number
        case (.doubleAttributeType, _), (.floatAttributeType, _), (.decimalAttributeType, _):
            let number = stored.plainNumber
            return (value as? NSNumber).map { abs($0.doubleValue - number) <= 1e-6 * abs(number) } ?? false
        case (.dateAttributeType, _):
            return (value as? Date)?.timeIntervalSinceReferenceDate == stored.plainNumber
        case (.stringAttributeType, .text(let text)): return value as? String == text
        case (.URIAttributeType, .text(let text)): return (value as? URL)?.absoluteString == text
        case (.UUIDAttributeType, .blob(let bytes)):
            guard let uuid = (value as? UUID)?.uuid else { return false }
            return withUnsafeBytes(of: uuid) { Data($0) } == bytes
        case (.binaryDataAttributeType, .blob(let bytes)):
            guard attribute.allowsExternalBinaryDataStorage else { return value as? Data == bytes }
            if bytes.first == 1 { return value as? Data == Data(bytes.dropFirst()) }
            guard bytes.first == 2 else { return value as? Data == bytes }
            let name = String(decoding: bytes.dropFirst().prefix(36), as: UTF8.self)
            let base = url.deletingPathExtension().lastPathComponent
            let file = url.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT/_EXTERNAL_DATA/\(name)")
            return value as? Data == (try? Data(contentsOf: file))
        default: return false
        }
    }
}

extension SQLValue {
    fileprivate var plainNumber: Double {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: .nan
        }
    }
}

extension NSEntityDescription {
    /// Whether the entity's model has an entity of this name.
    fileprivate func hasEntity(_ name: String) -> Bool { managedObjectModel.entitiesByName[name] != nil }
}

extension NSManagedObject {
    /// The key in the object's identifier.
    var plainKey: Int64 { Int64(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}
