// Apple's NSComparisonPredicate. Foundation's cannot be instantiated outside Apple's platforms, so this is a new class;
// a file that also imports Foundation refers to it by a type alias.

import Foundation

/// A predicate that compares the values of two expressions.
open class NSComparisonPredicate: NSPredicate, PredicateCarrying {
    let prepared: PreparedPredicate
    private let comparison: ComparisonNode

    /// A comparison and the tree that consists of it.
    init(_ comparison: ComparisonNode, _ tree: PredicateNode, isUnique: Bool) {
        self.comparison = comparison
        prepared = PreparedPredicate(tree, isUnique: isUnique)
        super.init(value: true)
    }

    package convenience init(node: ComparisonNode) {
        self.init(node, .comparison(node), isUnique: false)
    }

    // The public initializers are designated, so that an app's subclass inherits them.

    /// Makes a comparison.
    ///
    /// - Parameters:
    ///   - lhs: The left expression.
    ///   - rhs: The right expression.
    ///   - modifier: Whether the comparison applies to one or all elements of a collection on the left.
    ///   - type: The operator.
    ///   - options: How texts are compared.
    public init(
        leftExpression lhs: NSExpression,
        rightExpression rhs: NSExpression,
        modifier: Modifier,
        type: Operator,
        options: Options = []
    ) {
        comparison = ComparisonNode(
            left: lhs.node,
            right: Self.bounds(rhs.node, type),
            modifier: ComparisonModifier(rawValue: modifier.rawValue) ?? .direct,
            op: ComparisonOperator(rawValue: type.rawValue) ?? .equal,
            options: ComparisonOptions(rawValue: options.rawValue)
        )
        prepared = PreparedPredicate(.comparison(comparison), isUnique: false)
        super.init(value: true)
    }

    /// The right side of a comparison: a constant array of expressions is the list of their values.
    private static func bounds(_ node: ExpressionNode, _ type: Operator) -> ExpressionNode {
        guard type == .between || type == .in, case .constant(let value) = node else { return node }
        return value is NSExpression ? node : PredicateParser.node(of: value)
    }

    /// Makes a comparison by a method of the left value that takes the right one, such as `isEqual:`.
    public init(
        leftExpression lhs: NSExpression,
        rightExpression rhs: NSExpression,
        customSelector: Selector
    ) {
        comparison = ComparisonNode(
            left: lhs.node,
            right: rhs.node,
            op: .customSelector,
            selector: customSelector.name
        )
        prepared = PreparedPredicate(.comparison(comparison), isUnique: false)
        super.init(value: true)
    }

    /// Reads a comparison from an archive written here or on Apple's systems; see `NSPredicate.init(coder:)`.
    ///
    /// The result is nil if the archive is damaged.
    ///
    /// - Parameter coder: A keyed unarchiver.
    public convenience init?(coder: NSCoder) {
        guard let read = ArchiveDepth.level(of: coder, { ArchivedPredicate.node(coder) }),
            case .comparison(let node) = read.result
        else { return nil }
        self.init(node: node)
        prepared.archivedWeight = read.weight
        if coder.requiresSecureCoding { prepared.forbidEvaluation() }
    }

    /// The operator.
    open var predicateOperatorType: Operator { Operator(rawValue: comparison.op.rawValue) ?? .equalTo }

    /// Whether the comparison applies to one or all elements of a collection on the left.
    open var comparisonPredicateModifier: Modifier { Modifier(rawValue: comparison.modifier.rawValue) ?? .direct }

    /// The left expression.
    open var leftExpression: NSExpression { NSExpression.make(comparison.left) }

    /// The right expression.
    open var rightExpression: NSExpression { NSExpression.make(comparison.right) }

    /// The options for comparing texts.
    open var options: Options { Options(rawValue: comparison.options.rawValue) }

    /// The method of a comparison with the operator `customSelector`, otherwise nil.
    open var customSelector: Selector? { comparison.selector.map { Selector($0) } }

    /// The format, which parses back to an equal predicate.
    open override var predicateFormat: String { PredicatePrinter.print(prepared.node) }

    /// The class named in archives, also for subclasses.
    open override var classForCoder: AnyClass { NSComparisonPredicate.self }

    /// The format.
    open override var description: String { predicateFormat }

    /// The predicate itself, as it is immutable.
    open override func copy() -> Any { self }

    /// The predicate itself, as it is immutable.
    open override func copy(with zone: NSZone?) -> Any { self }

    /// Whether another predicate has an equal tree.
    open override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }

    /// A hash value that equal predicates share.
    open override var hash: Int { prepared.hash }

    /// Whether the comparison is true for an object; false also if it cannot be evaluated.
    open override func evaluate(with object: Any?) -> Bool { prepared.evaluate(object, nil) }

    /// Whether the comparison is true for an object; false also if it cannot be evaluated.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        prepared.evaluate(object, bindings)
    }
}

extension NSComparisonPredicate {
    /// The elements of a collection on the left that a comparison applies to.
    public enum Modifier: UInt, Sendable {
        /// The left value itself.
        case direct = 0
        /// Every element.
        case all = 1
        /// At least one element.
        case any = 2
    }

    /// The operator of a comparison.
    public enum Operator: UInt, Sendable {
        /// Less, `<`.
        case lessThan = 0
        /// Less or equal, `<=`.
        case lessThanOrEqualTo = 1
        /// Greater, `>`.
        case greaterThan = 2
        /// Greater or equal, `>=`.
        case greaterThanOrEqualTo = 3
        /// Equal, `==`.
        case equalTo = 4
        /// Not equal, `!=`.
        case notEqualTo = 5
        /// The whole text matches a regular expression.
        case matches = 6
        /// `?` for one character, `*` for any number.
        case like = 7
        /// A text begins with another.
        case beginsWith = 8
        /// A text ends with another.
        case endsWith = 9
        /// In the collection or text on the right.
        case `in` = 10
        /// A method.
        case customSelector = 11
        /// The collection or text on the left contains the right value.
        case contains = 99
        /// Between two values, inclusive.
        case between = 100
    }

    /// How a comparison treats texts.
    public struct Options: OptionSet, Hashable, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Makes options from Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Ignores case, `[c]`.
        public static let caseInsensitive = Options(rawValue: 1)
        /// Ignores diacritics, `[d]`.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// The texts are already normalised and compared as they are, `[n]`.
        public static let normalized = Options(rawValue: 4)
    }
}
