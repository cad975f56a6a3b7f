// Converts column values to the types that their descriptions request, for fetches and batches that return
// dictionaries.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphPredicates

/// The columns that a dictionary fetch reads, and their keys in the result.
package struct DictionaryPlan {
    /// The fetch to send to the engine.
    package var fetch: ColumnFetch
    /// The key path of each column's value in the row's dictionary: one name, or the names of a composite attribute.
    package var places: [[String]]
    /// The attributes of the columns that cannot be decoded by type alone.
    package var slots: [Slot?]
    /// The types that the expression descriptions request.
    var types: [AttributeType?] = []

    package init(fetch: ColumnFetch, places: [[String]], slots: [Slot?], types: [AttributeType?] = []) {
        self.fetch = fetch
        self.places = places
        self.slots = slots
        self.types = types
    }

    /// Returns a row's values as a dictionary.
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

    /// Whether every column's value is a direct entry of the dictionary, with no nested composite attributes.
    var isFlat: Bool { places.allSatisfy { $0.count == 1 } }

    /// Returns a row's values as an `NSDictionary`; the plan must be flat.
    ///
    /// Uses Foundation's own class, because subclasses lose their entries when cast to a Swift dictionary.
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

    /// Boxes a value for a Foundation collection; the common types skip the dynamic bridging lookup.
    private static func object(_ value: Any) -> AnyObject {
        switch value {
        case let text as String: text as NSString
        case let number as NSNumber: number
        default: value as AnyObject
        }
    }

    /// Converts a value to its public type.
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
    /// Converts a column's value to the type that its expression description requests.
    ///
    /// - Parameters:
    ///   - value: The computed value.
    ///   - column: The index of the column.
    /// - Returns: The converted value; `value` itself if no type is requested or the conversion is not possible.
    func typed(_ value: Any, column: Int) -> Any {
        guard types.indices.contains(column), let type = types[column] else { return value }
        return Self.converted(value, to: type) ?? value
    }

    /// Puts a value into a dictionary, or into one nested in it.
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
            return decimal(evaluated).map { NSDecimalNumberPlaceholder(decimal: $0) }
        case .date: return evaluated.doubleValue.map { Date(timeIntervalSinceReferenceDate: $0) }
        case .string: return Value.number(value)?.stringValue
        case .binary, .uuid, .uri, .transformable, .objectID, .composite, .undefined: return nil
        }
    }

    /// Converts a number to the decimal with the same digits.
    private static func decimal(_ value: EvaluatedValue) -> Decimal? {
        switch value {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        default: value.seconds.flatMap(Decimal.init(digitsOf:))
        }
    }

    /// Converts a number to a whole number by truncating the fraction; nil if it does not fit, so that no digits are
    /// lost.
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
