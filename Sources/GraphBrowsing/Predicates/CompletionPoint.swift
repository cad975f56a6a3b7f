// The grammar around a place in a predicate: which sort of word can follow, and of which entity the keys are. Created
// by the completion; it reads no rows.

/// The state of a predicate at a place.
struct CompletionPoint {
    /// The sort of word that can follow.
    enum Expected: Equatable {
        /// A key, a function or a word that begins a predicate.
        case operand
        /// A comparison operator, after the left side.
        case comparison
        /// A value, after an operator.
        case value
        /// `AND`, `OR` or the end.
        case connective
        /// An option in brackets after an operator.
        case option
        /// A variable of a subquery.
        case variable
    }

    private struct Frame {
        enum Kind: Equatable { case group, call, list, subquery }
        var kind: Kind
        var argument = 0
        var outer: Expected
        var outerKey: String?
        var collection: String?
        var variable: String?
    }

    private(set) var expected = Expected.operand
    /// The key path on the left side of the comparison.
    private(set) var key: String?
    /// The entities of the variables of subqueries, by name without `$`.
    private(set) var variables: [String: String] = [:]
    private var frames: [Frame] = []
    private let entity: String
    private let shapes: EntityShapes

    static let comparisons: Set<String> = [
        "==", "=", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>", "IN", "LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "MATCHES", "BETWEEN",
    ]
    private static let connectives: Set<String> = ["AND", "OR", "&&", "||"]
    private static let prefixes: Set<String> = ["NOT", "!", "ANY", "ALL", "SOME", "NONE"]

    /// Reads the words before a place.
    init(_ words: ArraySlice<PredicateText.Word>, entity: String, shapes: EntityShapes) {
        (self.entity, self.shapes) = (entity, shapes)
        var previous: PredicateText.Word?
        for word in words {
            read(word, after: previous)
            previous = word
        }
    }

    private mutating func read(_ word: PredicateText.Word, after previous: PredicateText.Word?) {
        let upper = word.upper
        if expected == .option {
            if word.text == "]" { expected = .value }
            return
        }
        switch word.text {
        case "(":
            let isCall = previous.map { $0.kind == .name && !Self.isWord($0.upper) } ?? false
            if isCall || previous?.upper == "SUBQUERY" {
                // The name of the function was taken as an operand.
                let side: Expected = expected == .connective ? .value : .operand
                let kind: Frame.Kind = previous?.upper == "SUBQUERY" ? .subquery : .call
                frames.append(Frame(kind: kind, outer: side, outerKey: side == .value ? key : nil))
            } else {
                frames.append(Frame(kind: expected == .value ? .call : .group, outer: expected, outerKey: key))
            }
            expected = .operand
        case "{":
            frames.append(Frame(kind: .list, outer: .value, outerKey: key))
            expected = .value
        case ")", "}":
            guard let frame = frames.popLast() else { return }
            key = frame.outerKey
            if let variable = frame.variable { variables[variable] = nil }
            expected = frame.kind == .group ? .connective : frame.outer == .value ? .connective : .comparison
        case "[": if previous.map({ Self.comparisons.contains($0.upper) }) ?? false { expected = .option }
        case ",":
            guard var frame = frames.popLast() else { return }
            frame.argument += 1
            if frame.kind == .subquery {
                expected = frame.argument == 1 ? .variable : .operand
            } else {
                expected = frame.kind == .list ? .value : .operand
            }
            frames.append(frame)
        default:
            if Self.comparisons.contains(upper) {
                expected = .value
            } else if Self.connectives.contains(upper) {
                expected = .operand
                key = nil
            } else if Self.prefixes.contains(upper) {
                expected = .operand
            } else if ["+", "-", "*", "/", "**"].contains(word.text) {
                expected = expected == .connective ? .value : .operand
            } else if upper == "TRUEPREDICATE" || upper == "FALSEPREDICATE" {
                expected = .connective
            } else {
                operand(word)
            }
        }
    }

    private mutating func operand(_ word: PredicateText.Word) {
        if let frame = frames.last, frame.kind == .subquery {
            if frame.argument == 0 { frames[frames.count - 1].collection = word.text }
            if frame.argument == 1 {
                let name = String(word.text.drop { $0 == "$" })
                frames[frames.count - 1].variable = name
                if let collection = frame.collection {
                    variables[name] = shapes.property(collection, of: entity)?.destination
                }
                return
            }
        }
        if expected == .value {
            expected = .connective
        } else {
            if word.kind == .name { key = word.text }
            expected = .comparison
        }
    }

    /// Whether a name is a word of the language, not a function.
    private static func isWord(_ upper: String) -> Bool {
        comparisons.contains(upper) || connectives.contains(upper) || prefixes.contains(upper)
    }

    /// The property of a key path, which may begin with a variable.
    func property(_ path: String) -> PropertySummary? {
        let (entity, rest) = root(path)
        return entity.flatMap { shapes.property(rest, of: $0) }
    }

    /// The entity that a key path begins at, and the path from there.
    func root(_ path: String) -> (entity: String?, path: String) {
        let path = path.hasPrefix("SELF.") ? String(path.dropFirst(5)) : path
        guard path.hasPrefix("$") else { return (entity, path) }
        let parts = path.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first.flatMap { variables[String($0)] }, parts.count > 1 ? String(parts[1]) : "")
    }
}
