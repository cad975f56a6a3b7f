// One validation predicate of a property. The forms that Xcode writes (a number, a date or the length of a text beside
// a limit) are compared directly; all others are evaluated as predicates with the value as SELF. Called by
// PropertyValidator.
import Foundation
import GraphPredicates

/// A predicate that a value must satisfy, and the error if it does not.
struct ValueRule {
    /// The forms that are compared directly.
    enum Test {
        case length(ComparisonOperator, Int)
        case number(ComparisonOperator, Double)
        case date(ComparisonOperator, Date)
        case predicate
    }

    let predicate: NSPredicate
    let test: Test
    let code: Int
    /// The model's own message, which replaces the default one.
    let warning: String?

    /// The rules of a property, in the model's order.
    static func rules(of property: NSPropertyDescription) -> [ValueRule] {
        let warnings = property.validationWarnings
        let generalCode = NSManagedObjectValidationError
        return property.validationPredicates.enumerated().map { index, predicate in
            let warning = index < warnings.count ? warnings[index] : nil
            let message = warning as? String
            return ValueRule(
                predicate: predicate,
                test: Test(predicate.node),
                code: message == nil ? (warning as? NSNumber)?.intValue ?? generalCode : generalCode,
                warning: message.flatMap { $0.isEmpty ? nil : $0 }
            )
        }
    }

    /// Whether a value satisfies the rule.
    func allows(_ value: Any) -> Bool {
        switch test {
        case .length(let relation, let limit):
            guard let string = value as? String else { return predicate.evaluate(with: value) }
            return relation.holds(string.utf16.count, limit)
        case .number(let relation, let limit):
            guard let number = value as? NSNumber else { return predicate.evaluate(with: value) }
            return relation.holds(number.doubleValue, limit)
        case .date(let relation, let limit):
            guard let date = value as? Date else { return predicate.evaluate(with: value) }
            return relation.holds(date, limit)
        case .predicate:
            return predicate.evaluate(with: value)
        }
    }

    /// The error of a value that does not satisfy the rule.
    func error(_ value: Any, key: String, name: String, object: Any?) -> NSError {
        let format = predicate.printedFormat
        return CoreDataError.validation(
            code,
            warning ?? "\(name) \(complaint): \(ValueRule.printed(value)) does not satisfy \(format)",
            remedy: "Give \(key) a value for which \(format) holds.",
            key: key,
            value: value,
            object: object,
            predicate: predicate
        )
    }

    private var complaint: String {
        switch code {
        case NSValidationNumberTooLargeError: "is too large"
        case NSValidationNumberTooSmallError: "is too small"
        case NSValidationDateTooLateError: "is too late"
        case NSValidationDateTooSoonError: "is too early"
        case NSValidationInvalidDateError: "is not a valid date"
        case NSValidationStringTooLongError: "is too long"
        case NSValidationStringTooShortError: "is too short"
        case NSValidationStringPatternMatchingError: "does not match its pattern"
        case NSValidationInvalidURIError: "is not a valid URI"
        default: "is not valid"
        }
    }

    /// A value as shown in messages; long ones are truncated.
    private static func printed(_ value: Any) -> String {
        let literal = value is String ? "\"\(value)\"" : "\(value)"
        return literal.count > 80 ? literal.prefix(80) + "…" : literal
    }
}

extension ValueRule.Test {
    /// Recognizes the forms that Xcode writes.
    init(_ node: PredicateNode) {
        self = .predicate
        guard case .comparison(let comparison) = node, comparison.modifier == .direct, comparison.options.isEmpty,
            comparison.op.isOrdering, let limit = Self.constant(comparison.right)
        else { return }
        switch comparison.left {
        case .keyPath(let path) where path == ["length"]:
            if let number = limit as? NSNumber, let length = Int(exactly: number.doubleValue) {
                self = .length(comparison.op, length)
            }
        case .evaluatedObject:
            if let date = limit as? Date {
                self = .date(comparison.op, date)
            } else if let number = limit as? NSNumber, abs(number.doubleValue) < 0x1p53 {
                // Beyond, two whole numbers may be the same Double, and the predicate compares them exactly.
                self = .number(comparison.op, number.doubleValue)
            }
        default: break
        }
    }

    private static func constant(_ expression: ExpressionNode) -> Any? {
        switch expression {
        case .constant(let value):
            return value
        case .function(let name, _, let arguments) where name == "castObject:toType:" && arguments.count == 2:
            guard case .constant(let seconds) = arguments[0], case .constant(let type) = arguments[1],
                type as? String == "NSDate", let seconds = seconds as? NSNumber
            else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds.doubleValue)
        default:
            return nil
        }
    }
}

extension ComparisonOperator {
    fileprivate var isOrdering: Bool { rawValue <= ComparisonOperator.notEqual.rawValue }

    fileprivate func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
        switch self {
        case .lessThan: left < right
        case .lessThanOrEqual: left <= right
        case .greaterThan: left > right
        case .greaterThanOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        default: false
        }
    }
}
