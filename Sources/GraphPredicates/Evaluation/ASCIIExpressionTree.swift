// The syntax tree of a regular expression. Built by ASCIIExpressionParser, laid out by ASCIIExpressionSteps.

indirect enum ASCIIExpressionTree {
    case set(ASCIISet)
    case sequence([ASCIIExpressionTree])
    case choice([ASCIIExpressionTree])
    case repeated(ASCIIExpressionTree, least: Int, most: Int?)

    /// Whether it matches the empty text.
    var coversNothing: Bool {
        switch self {
        case .set: false
        case .sequence(let parts): parts.allSatisfy(\.coversNothing)
        case .choice(let parts): parts.contains(where: \.coversNothing)
        case .repeated(let part, let least, _): least == 0 || part.coversNothing
        }
    }
}
