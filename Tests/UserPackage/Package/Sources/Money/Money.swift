/// Kinds of loans, by the number in the store: a type of another module in a managed property.
public enum LoanKind: Int16, Sendable {
    case visit
    case home
}
