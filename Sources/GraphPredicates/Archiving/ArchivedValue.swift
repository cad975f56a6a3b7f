// Archives constants: the classes allowed for them, and the conversion from Swift values to objects.

import Foundation
import GraphArchives

enum ArchivedValue {
    /// The classes of constants and their elements that secure decoding allows.
    static let classes: [AnyClass] = [
        NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self,
        NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]

    /// The object for a value; nil for nil.
    ///
    /// - Throws: `UnarchivableConstant`.
    static func object(_ value: EvaluatedValue) throws -> Any? {
        switch value {
        case .null: return nil
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .decimal(let value): return NSDecimalNumberPlaceholder(decimal: value)
        case .text(let value): return NSString(string: value)
        case .date(let value): return NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        case .uuid(let value): return NSUUID(uuidString: value.uuidString)
        case .data(let value): return NSData(data: value)
        case .url(let value): return NSURL(string: value.absoluteString)
        case .collection(let collection):
            let elements = try collection.evaluatedElements().map { try object($0) ?? NSNull() }
            return collection.isUnordered ? NSSet(array: elements) : NSArray(array: elements)
        case .dictionary(let value as any NSCoding): return value
        case .other(let value as any NSCoding): return value
        case .readable(let value as any NSCoding): return value
        case .dictionary, .other, .readable:
            let name = value.anyValue.map { "\(type(of: $0))" } ?? "nil"
            throw UnarchivableConstant(reason: "A constant of the type \(name) cannot be archived.")
        }
    }
}
