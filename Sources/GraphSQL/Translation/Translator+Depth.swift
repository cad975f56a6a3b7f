// Predicates that are nested deeper than the database's parser reads are evaluated on objects instead.
import GraphEngine
import GraphPredicates

extension Translator {
    /// The greatest depth of predicates that are tried as SQL; the parsers of databases give up earlier.
    private static let maximumHeight = 100

    /// Throws `.needsMemory` for predicates that are not worth writing as SQL.
    func checkHeight(_ predicates: PredicateNode?...) throws {
        for case let predicate? in predicates where predicate.compoundHeight > Self.maximumHeight { throw tooDeep }
    }

    var tooDeep: TranslationError {
        failure(
            .needsMemory,
            printed: "NSCompoundPredicate",
            "its ANDs, ORs and NOTs are nested deeper than \(dialect.name) reads",
            "Nest less: any number of conditions can be joined by one AND or OR"
        )
    }
}

enum ParenthesisDepth {
    /// The greatest depth of nested parentheses, those in texts included.
    static func of(_ sql: String) -> Int {
        var (depth, greatest) = (0, 0)
        for byte in sql.utf8 {
            if byte == UInt8(ascii: "(") {
                depth += 1
                greatest = max(greatest, depth)
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
            }
        }
        return greatest
    }
}
