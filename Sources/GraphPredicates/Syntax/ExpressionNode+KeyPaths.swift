// Appends keys to expressions, and normalizes forms so that the printer's output parses back to an equal tree and SQL
// receives plain constants.

import Foundation

extension ExpressionNode {
    /// The method name that the tree stores for a computed key: `owner.$key`.
    package static let valueForKeyPath = "valueForKeyPath:"

    /// Appends keys to this expression.
    package func appending(keys: [String]) -> ExpressionNode {
        guard !keys.isEmpty else { return self }
        switch self {
        case .evaluatedObject: return .keyPath(keys)
        case .keyPath(let path): return .keyPath(path + keys)
        case .keyPathOf(let base, let path): return .keyPathOf(base, path + keys)
        default: return .keyPathOf(self, keys)
        }
    }

    /// The expression for a path passed to `%K` or NSExpression(forKeyPath:); a leading `SELF` is dropped.
    package static func path(_ keys: [String]) -> ExpressionNode {
        guard let first = keys.first, first.lowercased() == "self" else { return .keyPath(keys) }
        return ExpressionNode.evaluatedObject.appending(keys: Array(keys.dropFirst()))
    }

    /// `FUNCTION(target, 'selector', …)`; with `valueForKeyPath:` and a constant it is a key path.
    package static func call(target: ExpressionNode, selector: String, arguments: [ExpressionNode]) -> ExpressionNode {
        guard selector == valueForKeyPath || selector == "valueForKey:", arguments.count == 1 else {
            return .function(name: selector, target: target, arguments: arguments)
        }
        if case .constant(let value) = arguments[0], let key = EvaluatedValue(value).text {
            // A key with a dot cannot be a plain key path; only valueForKey: reads it whole.
            if selector == "valueForKey:" { return target.appending(keys: [key]) }
            return target.appending(keys: key.split(separator: ".").map(String.init))
        }
        // The argument decides whether `valueForKey:` is a key path.
        if case .constant(is FormatHole) = arguments[0] {
            return .function(name: selector, target: target, arguments: arguments)
        }
        return .function(name: valueForKeyPath, target: target, arguments: arguments)
    }

    /// A function with its full name, whose casts of constants are constants as in a parsed format.
    package static func calling(_ name: String, _ arguments: [ExpressionNode]) -> ExpressionNode {
        guard arguments.count == 2, name == FunctionName.cast.rawValue else {
            return .function(name: name, target: nil, arguments: arguments)
        }
        return .cast(arguments[0], to: arguments[1])
    }

    /// `CAST(expression, 'Class')`; a constant is cast immediately if that is the literal form of the type.
    package static func cast(_ expression: ExpressionNode, to className: ExpressionNode) -> ExpressionNode {
        let node = ExpressionNode.function(
            name: FunctionName.cast.rawValue,
            target: nil,
            arguments: [expression, className]
        )
        guard case .constant(let value) = expression, case .constant(let name) = className,
            let type = CastType(EvaluatedValue(name).text ?? ""), let result = type.cast(EvaluatedValue(value))
        else { return node }
        if case .real(let number) = result, !number.isFinite { return .constant(number) }
        return type.hasLiteral ? result.anyValue.map(ExpressionNode.constant) ?? node : node
    }
}
