// Values of columns in dictionaries, in the types that their descriptions ask for. Called by whatever makes dictionaries.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates

/// What a fetch of dictionaries reads, and where it goes.
package struct DictionaryPlan {
    /// What an engine is asked for.
    package var fetch: ColumnFetch
    /// Where each column's value goes in a row's dictionary: a name, or a composite attribute's names.
    package var places: [[String]]
    /// The attributes that the columns are, where it takes more than the column's type to read them.
    package var slots: [Slot?]
    /// The types that expression descriptions ask for.
    var types: [AttributeType?] = []

    package init(fetch: ColumnFetch, places: [[String]], slots: [Slot?], types: [AttributeType?] = []) {
        self.fetch = fetch
        self.places = places
        self.slots = slots
        self.types = types
    }

    /// A row's values as its dictionary.
    func dictionary(_ values: [RowValue], _ columns: [ResultColumn], _ model: CompiledModel, _ store: NSPersistentStore)
        -> [String: Any]
    {
        var row: [String: Any] = [:]
        for (index, column) in columns.enumerated() where index < places.count {
            guard let value = publicValue(values[index], column.content, slots[index], model, store) else { continue }
            Self.put(typed(value, column: index), at: places[index][...], into: &row)
        }
        return row
    }

    /// Whether each column's value stands in the dictionary itself, not in a composite attribute's dictionary.
    var isFlat: Bool { places.allSatisfy { $0.count == 1 } }

    /// A row's values as Foundation's dictionary; the plan is flat.
    ///
    /// Foundation's own class, as others lose their entries where they are cast to Swift's dictionary.
    func foundationDictionary(
        _ values: [RowValue],
        _ columns: [ResultColumn],
        _ names: [NSString],
        _ model: CompiledModel,
        _ store: NSPersistentStore
    ) -> NSDictionary {
        withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: columns.count) { objects in
            withUnsafeTemporaryAllocation(of: NSObject.self, capacity: columns.count) { keys in
                var count = 0
                defer {
                    objects.prefix(count).deinitialize()
                    keys.prefix(count).deinitialize()
                }
                for (index, column) in columns.enumerated() where index < names.count {
                    guard let value = publicValue(values[index], column.content, slots[index], model, store) else {
                        continue
                    }
                    objects.initializeElement(at: count, to: Self.object(typed(value, column: index)))
                    keys.initializeElement(at: count, to: names[index])
                    count += 1
                }
                return NSDictionary(objects: objects.baseAddress, forKeys: keys.baseAddress, count: count)
            }
        }
    }

    /// A value as Foundation's collections hold it; the usual types without the search for a bridge.
    private static func object(_ value: Any) -> AnyObject {
        switch value {
        case let text as String: text as NSString
        case let number as NSNumber: number
        default: value as AnyObject
        }
    }

    /// A value as users see it.
    private func publicValue(
        _ value: RowValue,
        _ content: ResultColumn.Content,
        _ slot: Slot?,
        _ model: CompiledModel,
        _ store: NSPersistentStore
    ) -> Any? {
        switch (content, value) {
        case (.value(.transformable), .data(let data)):
            guard let slot else { return data }
            return Transforming.value(from: data, slot: slot).publicAttribute(.transformable)
        case (.value(let type), _):
            return Value(value).publicAttribute(type)
        case (.object, .key(let key)):
            return NSManagedObjectID(layout: model.layouts[Int(key.entity)], key: key, store: store)
        case (.stored, .integer(let number)): return NSNumber(value: number)
        case (.stored, .real(let number)): return NSNumber(value: number)
        case (.stored, _): return Value(value).publicAttribute(.undefined)
        case (.object, _): return nil
        }
    }
}

extension DictionaryPlan {
    /// A column's value in the type that its expression description asks for.
    ///
    /// - Parameters:
    ///   - value: The value as it was computed.
    ///   - column: The column's place.
    /// - Returns: The value in that type; as it is where none is asked for, or where the value has no form in it.
    func typed(_ value: Any, column: Int) -> Any {
        guard types.indices.contains(column), let type = types[column] else { return value }
        return Self.converted(value, to: type) ?? value
    }

    /// Puts a value into a dictionary, or into one of the dictionaries in it.
    static func put(_ value: Any, at place: ArraySlice<String>, into row: inout [String: Any]) {
        guard let name = place.first else { return }
        guard place.count > 1 else {
            row[name] = value
            return
        }
        var inner = row[name] as? [String: Any] ?? [:]
        put(value, at: place.dropFirst(), into: &inner)
        row[name] = inner
    }

    private static func converted(_ value: Any, to type: AttributeType) -> Any? {
        let evaluated = EvaluatedValue(value)
        switch type {
        case .integer16: return number(evaluated, Int16.self).map { NSNumber(value: $0) }
        case .integer32: return number(evaluated, Int32.self).map { NSNumber(value: $0) }
        case .integer64: return number(evaluated, Int64.self).map { NSNumber(value: $0) }
        case .double: return evaluated.seconds.map { NSNumber(value: $0) }
        case .float: return evaluated.seconds.map { NSNumber(value: Float($0)) }
        case .boolean: return evaluated.doubleValue.map { NSNumber(value: $0 != 0) }
        case .decimal:
            return decimal(evaluated).map { NSDecimalNumber(decimal: $0) }
        case .date: return evaluated.doubleValue.map { Date(timeIntervalSinceReferenceDate: $0) }
        case .string: return Value.number(value)?.stringValue
        case .binary, .uuid, .uri, .transformable, .objectID, .composite, .undefined: return nil
        }
    }

    /// A number as a decimal that reads like it.
    private static func decimal(_ value: EvaluatedValue) -> Decimal? {
        switch value {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        default: value.seconds.flatMap { Decimal(string: "\($0)") }
        }
    }

    /// A whole number, the fraction cut off; nil where it does not fit, so that no digits are lost.
    private static func number<Whole: FixedWidthInteger>(_ value: EvaluatedValue, _ type: Whole.Type) -> Whole? {
        if case .integer(let value) = value { return Whole(exactly: value) }
        if case .boolean(let value) = value { return value ? 1 : 0 }
        guard let real = value.seconds, real.isFinite else { return nil }
        return Whole(exactly: real.rounded(.towardZero))
    }
}

extension EvaluatedValue {
    /// A number, or the seconds of a date.
    fileprivate var seconds: Double? {
        if case .date(let date) = self { return date.timeIntervalSinceReferenceDate }
        return doubleValue
    }
}
