// A key path prepared for repeated reads: its collection operators are parsed once. Created by the predicate compiler
// and by sort descriptors.

import Foundation

/// A key path that can be read from objects.
package struct KeyPathReader {
    private enum Step {
        /// A key, with its slots if the path is read from many objects.
        case key(String, KeySlots?)
        case count
        /// An operator and the path after it.
        case aggregate(CollectionOperator, KeyPathReader)
        /// An operator that does not exist.
        case unknown(String)
    }

    private let steps: [Step]

    /// Prepares a path.
    ///
    /// - Parameters:
    ///   - keys: The keys and operators.
    ///   - isRepeated: Whether the path is read from many objects, so that looking up the slots of the keys pays.
    package init(_ keys: [String], isRepeated: Bool = false) {
        var steps: [Step] = []
        var index = 0
        loop: while index < keys.count {
            let key = keys[index]
            index += 1
            guard key.hasPrefix("@") else {
                if key != "self", key != "SELF" { steps.append(.key(key, isRepeated ? KeySlots(key) : nil)) }
                continue
            }
            if key == "@count" {
                steps.append(.count)
            } else if let collectionOperator = CollectionOperator(rawValue: key) {
                steps.append(.aggregate(collectionOperator, KeyPathReader(Array(keys[index...]), isRepeated: true)))
                break loop
            } else {
                steps.append(.unknown(key))
            }
        }
        self.steps = steps
    }

    /// Prepares a path written with dots.
    package init(path: String, isRepeated: Bool = false) {
        self.init(path.split(separator: ".").map(String.init), isRepeated: isRepeated)
    }

    /// The value of the path.
    ///
    /// - Throws: `EvaluationError`.
    package func read(from object: EvaluatedValue) throws -> EvaluatedValue {
        try follow(steps[...], from: object)
    }

    /// The value of the path of an object that was not classified; its first key is read by a slot if it has one.
    ///
    /// - Throws: `EvaluationError`.
    func read(of object: Any) throws -> EvaluatedValue {
        guard case .key(_, let slots?)? = steps.first, let first = slots.value(of: object) else {
            return try read(from: EvaluatedValue(object))
        }
        return steps.count == 1 ? first : try follow(steps.dropFirst(), from: first)
    }

    private func follow(_ steps: ArraySlice<Step>, from object: EvaluatedValue) throws -> EvaluatedValue {
        var value = object
        for step in steps {
            switch step {
            case .key(let key, let slots): value = try KeyReader.read(key, slots, from: value)
            case .count: value = KeyPathReader.count(of: value)
            case .aggregate(let collectionOperator, let path):
                value = try collectionOperator.apply(to: value, path: path)
            case .unknown(let name): throw EvaluationError.unknownFunction(name)
            }
        }
        return value
    }

    private static func count(of value: EvaluatedValue) -> EvaluatedValue {
        switch value {
        case .null: return .integer(0)
        case .collection(let collection): return .integer(Int64(collection.evaluatedCount))
        case .dictionary(let dictionary): return .integer(Int64(dictionary.evaluatedCount))
        default: return .integer(1)
        }
    }
}
