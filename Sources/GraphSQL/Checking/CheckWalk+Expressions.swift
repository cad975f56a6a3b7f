// The kinds of expressions: constants, key paths, functions, subqueries.
import Foundation
import GraphModel
import GraphPredicates

extension CheckWalk {
    func value(of node: ExpressionNode) throws -> CheckedValue {
        switch node {
        case .constant(let hole as Hole): return Self.constant(hole.shape)
        case .constant(let value): return Self.constant(EvaluatedValue(value))
        case .evaluatedObject: return element
        case .variable(let name): return try variable(name)
        case .keyPath(let path):
            if path.count == 1, names.contains(path[0]) { return .any }
            // An operator at the beginning is over the rows of a group.
            if let first = path.first, first.hasPrefix("@"), path.count > 1 {
                return try follow(path.dropFirst(), from: element, node)
            }
            if path.first?.hasPrefix("@") == true { return .any }
            return try follow(path[...], from: element, node)
        case .keyPathOf(let base, let path): return try follow(path[...], from: try value(of: base), node)
        case .function(let name, let target, let arguments):
            if let target {
                _ = try value(of: target)
                for argument in arguments { _ = try value(of: argument) }
                return .any
            }
            return try function(name, arguments, node)
        case .aggregate(let elements): return .list(try elements.map { try value(of: $0) })
        case .subquery(let collection, let variable, let predicate):
            return try subquery(try value(of: collection), variable, predicate, node)
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            // As collections they may be compared, which only objects can do.
            _ = (try value(of: left), try value(of: right))
            return .any
        case .conditional(let predicate, let yes, let no):
            try check(predicate)
            return try common(try value(of: yes), try value(of: no), node)
        case .assignment(_, let inner): return try value(of: inner)
        case .anyKey, .symbolicIndex, .block, .fetch: return .any
        }
    }

    private func variable(_ name: String) throws -> CheckedValue {
        if let type = variables[name] { return type }
        guard checker.allowsVariables || names.contains(name) else {
            throw failure(
                .unsupported,
                "$\(name)",
                "the variable $\(name) has no value",
                "Give it one with withSubstitutionVariables(_:)"
            )
        }
        return .any
    }

    static func constant(_ value: EvaluatedValue) -> CheckedValue {
        switch value {
        case .null: .null
        case .boolean: .value(.boolean)
        case .integer: .value(.integer)
        case .real: .value(.real)
        case .decimal: .value(.decimal)
        case .text: .value(.text)
        case .date: .value(.date)
        case .uuid: .value(.uuid)
        case .data: .value(.data)
        case .url: .value(.url)
        // The elements of a long list are not examined: lists may hold anything.
        case .collection(let collection):
            .list(collection.evaluatedCount <= 2 ? collection.evaluatedElements().map { constant($0) } : [.any])
        case .dictionary: .list([.any])
        case .readable, .other: .any
        }
    }

    /// A constant that the translation has put aside.
    private static func constant(_ shape: ConstantShape) -> CheckedValue {
        switch shape {
        case .null: return .null
        case .list(let shapes, let places, _):
            let kinds = shapes.map { constant($0) }
            switch places {
            case .marks(1): return .list(kinds)
            case .marks(2): return .list(kinds.count == 1 ? [kinds[0], kinds[0]] : [.any, .any])
            case .marks, .list: return .list([.any])
            }
        case .object, .other, .entity: return .any
        case .unstored(let value): return .value(value.kind)
        default: return shape.kind.map { .value($0) } ?? .any
        }
    }

    private func subquery(
        _ collection: CheckedValue,
        _ variable: String,
        _ predicate: PredicateNode,
        _ node: ExpressionNode
    ) throws -> CheckedValue {
        var inner = self
        switch collection {
        case .many(let element): inner.variables[variable] = element
        case .any, .list, .null: inner.variables[variable] = .any
        case .value(.object): inner.variables[variable] = collection
        case .value(let kind):
            guard kind == .transformable || kind == .unknown else {
                throw failure(
                    .unsupported,
                    ConstantFolding.text(of: node),
                    "SUBQUERY needs the key path of a relationship as its collection"
                )
            }
            inner.variables[variable] = .any
        }
        try inner.check(predicate)
        switch collection {
        case .many: return collection
        case .value(.object): return .many(collection)
        default: return .many(.any)
        }
    }

    /// The kind of two alternatives together.
    private func common(_ left: CheckedValue, _ right: CheckedValue, _ node: ExpressionNode) throws -> CheckedValue {
        switch (left, right) {
        case (.value(let first), .value(let second)):
            guard let merged = first.merged(with: second) else {
                throw failure(
                    .incomparable,
                    ConstantFolding.text(of: node),
                    "\(first.name) and \(second.name) are of different kinds"
                )
            }
            return .value(merged)
        case (.value, .null): return left
        case (.null, .value): return right
        default: return .any
        }
    }

    // MARK: - Functions

    private func function(
        _ name: String,
        _ arguments: [ExpressionNode],
        _ node: ExpressionNode
    ) throws -> CheckedValue {
        guard let function = FunctionName(rawValue: name) else {
            let functionNames = FunctionName.allCases.map(\.rawValue)
            throw failure(
                .unsupported,
                ConstantFolding.text(of: node),
                "there is no function \"\(name)\"",
                NearestName.of(name, among: functionNames).map { "The nearest existing name is \"\($0)\"" }
            )
        }
        let values = try arguments.map { try value(of: $0) }
        switch function {
        case .count, .length:
            if function == .length { try texts(values, node) }
            return .value(.integer)
        case .sum, .average, .median, .standardDeviation:
            for value in values { try numbers([elements(of: value)], node) }
            return .value(.real)
        case .min, .max, .mode: return values.first.map { elements(of: $0) } ?? .any
        case .uppercase, .lowercase, .canonical:
            try texts(values, node)
            return .value(.text)
        case .now: return .value(.date)
        case .random, .randomBelow, .randomN, .distance: return .value(.real)
        case .noIndex, .distinct: return values.first ?? .any
        case .objectAtIndex, .indexed:
            if case .symbolicIndex(.size)? = arguments.last { return .value(.integer) }
            return values.first.map { elements(of: $0) } ?? .any
        case .cast: return cast(arguments.last)
        case .tokenize: return .any
        case .add, .subtract, .multiply, .divide, .modulus, .raise, .squareRoot, .log, .naturalLog, .exponential,
            .floor, .ceiling, .absolute, .truncate:
            try numbers(values, node)
            return .value(.real)
        case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .onesComplement:
            try numbers(values, node)
            return .value(.integer)
        }
    }

    /// The kind of a collection's elements; anything for a single value that only objects can provide.
    private func elements(of value: CheckedValue) -> CheckedValue {
        switch value {
        case .many(let element): return element
        case .list(let elements): return elements.count == 1 ? elements[0] : .any
        case .value(let kind): return kind == .transformable || kind == .unknown ? .any : value
        case .null, .any: return .any
        }
    }

    private func cast(_ type: ExpressionNode?) -> CheckedValue {
        guard case .constant(let name as String)? = type else { return .any }
        switch name {
        case "NSDate", "Date": return .value(.date)
        case "NSNumber", "NSDecimalNumber": return .value(.real)
        case "NSString", "String": return .value(.text)
        default: return .any
        }
    }

    private func numbers(_ values: [CheckedValue], _ node: ExpressionNode) throws {
        var printed: String { ConstantFolding.text(of: node) }
        for value in values {
            guard let kind = try single(value, printed), kind != .transformable, kind != .unknown else { continue }
            guard kind.isNumber else { throw failure(.incomparable, printed, "\(kind.name) is not a number") }
        }
    }

    private func texts(_ values: [CheckedValue], _ node: ExpressionNode) throws {
        var printed: String { ConstantFolding.text(of: node) }
        for value in values {
            guard let kind = try single(value, printed), kind != .transformable, kind != .unknown else { continue }
            guard kind == .text || kind == .entity else {
                throw failure(.incomparable, printed, "\(kind.name) is not a string")
            }
        }
    }
}
