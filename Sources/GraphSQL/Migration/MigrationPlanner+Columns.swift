// The source of each column of a destination entity's rows: the same row of the source, a default value, or something
// that is only known once all rows are there.
import Foundation
import GraphModel

/// The source of one column of a row.
enum ColumnSource {
    /// A column of the source's row; a missing value becomes the default.
    case copy(String, SQLValue?)
    /// The same, in another form: an expression over the column.
    case convert(String, form: @Sendable (String) -> String, SQLValue?)
    /// A default value, of a new attribute.
    case value(SQLValue)
    /// Filled in when the rows are there.
    case later

    /// The source's column, if there is one.
    var column: String? {
        switch self {
        case .copy(let column, _), .convert(let column, _, _): column
        case .value, .later: nil
        }
    }

    /// The value that takes the place of a missing one.
    var filling: SQLValue? {
        switch self {
        case .copy(_, let value), .convert(_, _, let value): value
        case .value, .later: nil
        }
    }

    /// The expression over the source's column, under the name that it has now.
    func expression(_ column: String) -> String {
        if case .convert(_, let form, _) = self { form(column) } else { column }
    }

    var isCopy: Bool { if case .copy = self { true } else { false } }
    var isLater: Bool { if case .later = self { true } else { false } }
    var isConversion: Bool { if case .convert = self { true } else { false } }
}

extension MigrationPlanner {
    mutating func findColumns() {
        for pair in pairs { columns[pair.new.name] = sources(pair) }
    }

    private mutating func sources(_ pair: Pair) -> [String: ColumnSource] {
        var result: [String: ColumnSource] = [:]
        for attribute in pair.pair.attributes { add(attribute, pair, to: &result) }
        for relationship in pair.pair.relationships { addToOne(relationship, pair, to: &result) }
        addOwners(pair, to: &result)
        return result
    }

    // MARK: Attributes

    private mutating func add(_ attribute: PropertyPair, _ pair: Pair, to result: inout [String: ColumnSource]) {
        guard case .attribute(let column)? = pair.new.properties[attribute.destination] else { return }
        let description = newModel.attribute(attribute.destination, of: pair.new.name)
        let isFile = file.database == nil
        let fallback = description.flatMap { description in
            description.defaultValue.map {
                isFile ? SQLValue($0, isExternal: column.isExternal) : SQLValue($0, type: description.type)
            }
        }
        guard let name = attribute.source, case .attribute(let former)? = pair.old.properties[name] else {
            if description?.derivationExpressionFormat == nil { result[column.column] = fallback.map { .value($0) } }
            return
        }
        let before = oldModel.attribute(name, of: pair.old.name)
        // Only if a value could be missing and must not any more.
        let isNowRequired = before?.common.isOptional == true && description?.common.isOptional == false
        let filled = isNowRequired ? fallback : nil
        switch (former.isExternal && isFile, column.isExternal && isFile) {
        case (false, true):
            result[column.column] = .convert(former.column, form: { "CAST(x'01' || \($0) AS BLOB)" }, filled)
        case (true, false):
            plan.convertsFiles = true
            result[column.column] = .convert(
                former.column,
                form: { "\(MigrationPlan.plainValueFunction)(\($0))" },
                filled
            )
        default:
            let conversion = before.flatMap { before in
                description.flatMap { NumberConversion(from: before.type, to: $0.type) }
            }
            guard let conversion else {
                result[column.column] = .copy(former.column, filled)
                return
            }
            let (dialect, name) = (dialect, quoted(former.column))
            if conversion.expression(name, dialect) == nil {
                result[column.column] = .copy(former.column, filled)
            } else {
                let form: @Sendable (String) -> String = { conversion.expression($0, dialect) ?? $0 }
                result[column.column] = .convert(former.column, form: form, filled)
            }
            if let condition = conversion.overflow(name) {
                plan.refusals.append(
                    .init(
                        entity: pair.new.name,
                        property: attribute.destination,
                        keys: "SELECT \(key(pair.old)) AS K FROM \(rows(pair.old)) AND \(condition)",
                        reason: conversion.overflowReason
                    )
                )
            }
        }
    }

    // MARK: Relationships

    private func addToOne(_ relationship: PropertyPair, _ pair: Pair, to result: inout [String: ColumnSource]) {
        guard case .toOne(let toOne)? = pair.new.properties[relationship.destination] else { return }
        let source = directColumns(toOne, relationship.source, pair)
        result[toOne.column] = source.map { .copy($0.column, nil) } ?? .later
        if let column = toOne.orderColumn {
            result[column] = source?.order.map { .copy($0, nil) } ?? .later
        }
        if let column = toOne.entityColumn {
            let isSame = hasSameNumbers(toOne.destination)
            result[column] = isSame ? source?.entity.map { .copy($0, nil) } ?? .later : .later
            // An existing column stays even if its numbers change: +Relationships replaces them.
            if !isSame, let former = source?.entity { result[column] = .copy(former, nil) }
        }
    }

    /// The columns of the same row that hold a to-one destination in the source.
    private func directColumns(
        _ toOne: ToOneColumn,
        _ source: String?,
        _ pair: Pair
    ) -> (column: String, entity: String?, order: String?)? {
        if let source {
            guard case .toOne(let former)? = pair.old.properties[source] else { return nil }
            return (former.column, former.entityColumn, former.orderColumn)
        }
        // New on this side, but the other side was there and kept its owner's key in these rows.
        guard let inverse = toOne.inverse, let destination = self.pair(toOne.destination),
            let name = destination.pair.source(of: inverse),
            case .toManyInverse(let former)? = destination.old.properties[name],
            former.destinationTable == pair.old.tableName
        else { return nil }
        return (former.column, nil, former.orderColumn)
    }

    /// Keys that an owner without an inverse keeps in its members' rows.
    private func addOwners(_ pair: Pair, to result: inout [String: ColumnSource]) {
        for owner in self.new.entities.values {
            for (name, property) in owner.properties {
                guard case .toManyInverse(let toMany) = property, toMany.inverse.isEmpty,
                    new.isFamily(pair.new.name, of: toMany.destination)
                else { continue }
                guard let ownerPair = self.pair(owner.name), let source = ownerPair.pair.source(of: name),
                    case .toManyInverse(let former)? = ownerPair.old.properties[source],
                    former.destinationTable == pair.old.tableName
                else {
                    if result[toMany.column] == nil { result[toMany.column] = .later }
                    if let order = toMany.orderColumn, result[order] == nil { result[order] = .later }
                    continue
                }
                result[toMany.column] = .copy(former.column, nil)
                if let order = toMany.orderColumn {
                    result[order] = former.orderColumn.map { .copy($0, nil) } ?? .later
                }
            }
        }
    }

    /// Whether all that an entity's family comes from has the numbers it had.
    func hasSameNumbers(_ name: String) -> Bool {
        guard let entity = new.entities[name] else { return true }
        return family(entity).allSatisfy { (plan.numbers[$0.number] ?? $0.number) == $0.number }
    }
}

extension Model {
    /// An attribute by its path, inherited ones included.
    ///
    /// - Parameters:
    ///   - path: The name, or those of a composite and of its element with a dot between.
    ///   - entity: The entity that has it.
    /// - Returns: The attribute; nil if there is none.
    package func attribute(_ path: String, of entity: String) -> Attribute? {
        var parts = path.split(separator: ".").map(String.init)
        guard !parts.isEmpty else { return nil }
        let first = parts.removeFirst()
        guard case .attribute(var attribute)? = allProperties(ofEntityNamed: entity).last(where: { $0.name == first })
        else { return nil }
        for part in parts {
            guard let element = attribute.elements.first(where: { $0.name == part }) else { return nil }
            attribute = element
        }
        return attribute
    }
}

extension SQLValue {
    /// A default value as a column of a typed database stores it.
    package init(_ value: DefaultValue, type: AttributeType) {
        switch (value, type) {
        case (.integer(let number), .boolean): self = .typed(.boolean(number != 0))
        case (.boolean(let flag), .boolean): self = .typed(.boolean(flag))
        case (.decimal(let decimal), _): self = .typed(.decimal(decimal))
        case (.date(let date), _): self = .typed(.time(date.timeIntervalSinceReferenceDate))
        case (.uuid(let uuid), _): self = .typed(.uuid(uuid))
        default: self.init(value, isExternal: false)
        }
    }

    /// A default value as a row of a file stores it.
    package init(_ value: DefaultValue, isExternal: Bool) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .decimal(let decimal):
            let digits = decimal.description
            self = Int64(digits).map(SQLValue.integer) ?? .real(Double(digits) ?? 0)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url): self = .text(url.absoluteString)
        case .data(let data), .archive(let data): self = .blob(isExternal ? Data([1]) + data : data)
        }
    }
}
