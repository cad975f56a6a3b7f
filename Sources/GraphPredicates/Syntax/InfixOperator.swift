// The infix operators of arithmetic: their spelling, precedence and function.

/// An infix operator for a function.
package struct InfixOperator: Sendable {
    /// Its spelling.
    package let text: String
    package let function: FunctionName
    /// A higher number binds tighter.
    package let precedence: Int
    package let isRightAssociative: Bool

    /// `UNION`, `INTERSECT` and `MINUS` bind less tightly than every function.
    package static let setPrecedence = 1
    /// Unary minus and `~` bind tighter than all of them.
    package static let unaryPrecedence = 9

    package static let all: [InfixOperator] = [
        InfixOperator("|", .bitOr, 2),
        InfixOperator("^", .bitXor, 3),
        InfixOperator("&", .bitAnd, 4),
        InfixOperator("<<", .shiftLeft, 5),
        InfixOperator(">>", .shiftRight, 5),
        InfixOperator("+", .add, 6),
        InfixOperator("-", .subtract, 6),
        InfixOperator("*", .multiply, 7),
        InfixOperator("/", .divide, 7),
        InfixOperator("**", .raise, 8, rightAssociative: true),
    ]

    private init(_ symbol: String, _ function: FunctionName, _ precedence: Int, rightAssociative: Bool = false) {
        self.text = symbol
        self.function = function
        self.precedence = precedence
        self.isRightAssociative = rightAssociative
    }
}
