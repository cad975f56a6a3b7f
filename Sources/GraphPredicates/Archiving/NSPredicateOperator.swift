// The operator of an archived comparison, which is a separate object in Apple's archives: one class for each family of
// operators, each with its own key for the options. Used by NSPredicate+Coding only.
//
//     CLASS                            OPERATORS             KEYS besides NSOperatorType, NSModifier
//     NSEqualityPredicateOperator      == !=                 NSNegate, NSOptions
//     NSComparisonPredicateOperator    < <= > >=             NSOptions, NSVariant (the type again)
//     NSMatchingPredicateOperator      MATCHES               NSFlags
//     NSLikePredicateOperator          LIKE                  NSFlags
//     NSSubstringPredicateOperator     BEGINSWITH ENDSWITH   NSFlags, NSPosition (0 and 1)
//     NSInPredicateOperator            IN CONTAINS           NSFlags
//     NSBetweenPredicateOperator       BETWEEN               -
//     NSCustomPredicateOperator        a method              NSSelectorName

import Foundation

class NSPredicateOperator: NSObject, NSSecureCoding {
    static let names = [
        "NSPredicateOperator", "NSEqualityPredicateOperator", "NSComparisonPredicateOperator",
        "NSMatchingPredicateOperator", "NSLikePredicateOperator", "NSSubstringPredicateOperator",
        "NSInPredicateOperator", "NSBetweenPredicateOperator", "NSCustomPredicateOperator",
        "NSStringPredicateOperator",
    ]

    class var supportsSecureCoding: Bool { true }

    private let type: ComparisonOperator
    private let modifier: ComparisonModifier
    private let options: ComparisonOptions
    private let selector: String?

    required init(_ type: ComparisonOperator, _ node: ComparisonNode) {
        self.type = type
        modifier = node.modifier
        options = node.options
        selector = node.selector
    }

    required init?(coder: NSCoder) {
        guard let type = ComparisonOperator(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "NSOperatorType"))),
            let modifier = ComparisonModifier(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "NSModifier")))
        else { return nil }
        // An archive may store an inequality as a negated equality.
        self.type = type == .equal && coder.decodeBool(forKey: "NSNegate") ? .notEqual : type
        self.modifier = modifier
        let options = coder.decodeInteger(forKey: coder.containsValue(forKey: "NSFlags") ? "NSFlags" : "NSOptions")
        self.options = ComparisonOptions(rawValue: UInt(truncatingIfNeeded: options) & 15)
        selector = type == .customSelector ? coder.text("NSSelectorName") : nil
        if type == .customSelector, selector == nil { return nil }
    }

    func encode(with coder: NSCoder) {
        coder.encode(Int(type.rawValue), forKey: "NSOperatorType")
        coder.encode(Int(modifier.rawValue), forKey: "NSModifier")
        switch type {
        case .equal, .notEqual:
            coder.encode(type == .notEqual, forKey: "NSNegate")
            coder.encode(Int(options.rawValue), forKey: "NSOptions")
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            coder.encode(Int(options.rawValue), forKey: "NSOptions")
            coder.encode(Int(type.rawValue), forKey: "NSVariant")
        case .customSelector: coder.encode(selector.map { NSString(string: $0) }, forKey: "NSSelectorName")
        case .between: if !options.isEmpty { coder.encode(Int(options.rawValue), forKey: "NSOptions") }
        default:
            coder.encode(Int(options.rawValue), forKey: "NSFlags")
            if type == .beginsWith || type == .endsWith {
                coder.encode(type == .endsWith ? 1 : 0, forKey: "NSPosition")
            }
        }
    }

    /// The operator object for a comparison.
    static func make(_ node: ComparisonNode) -> NSPredicateOperator {
        let family: NSPredicateOperator.Type
        switch node.op {
        case .equal, .notEqual: family = NSEqualityPredicateOperator.self
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: family = NSComparisonPredicateOperator.self
        case .matches: family = NSMatchingPredicateOperator.self
        case .like: family = NSLikePredicateOperator.self
        case .beginsWith, .endsWith: family = NSSubstringPredicateOperator.self
        case .in, .contains: family = NSInPredicateOperator.self
        case .between: family = NSBetweenPredicateOperator.self
        case .customSelector: family = NSCustomPredicateOperator.self
        }
        return family.init(node.op, node)
    }

    /// The comparison of two expressions by this operator.
    func comparison(_ left: ExpressionNode, _ right: ExpressionNode) -> ComparisonNode {
        ComparisonNode(left: left, right: right, modifier: modifier, op: type, options: options, selector: selector)
    }
}
