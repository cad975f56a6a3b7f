// The promises of the predicate language for every text, valid or not.
import Foundation
import GraphPredicates

/// Checks that a printed tree is parsed to an equal tree, and that an error's position lies within the text.
enum FormatPromises {
    // Only the thread of the fuzzer uses them.
    nonisolated(unsafe) private static let arguments: [Any?] = [
        "name", 1, ["a", "b"], nil, 2.5, "a \"b\" \\", Date(timeIntervalSinceReferenceDate: 0.1), [1, 2], true,
        UInt64.max,
    ]
    nonisolated(unsafe) private static let object: [String: Any] = [
        "name": "Ann", "a": 1, "b": ["x", "y"], "c": NSNull(), "d": [["e": 2], ["e": 3.5]], "x": "x", "n": [1, 2, 3],
    ]

    static func check(_ format: String) {
        keep(format, PredicateParser.parse(format:arguments:), PredicatePrinter.print) { node in
            // Patterns are allowed a third of a second for each text.
            guard !format.uppercased().contains("MATCHES") else { return }
            _ = try? Evaluator(node).evaluate(object)
        }
        keep(format, PredicateParser.parseExpression, PredicatePrinter.print) { _ in }
    }

    private static func keep<Node: Hashable>(
        _ format: String,
        _ parse: (String, [Any?]) throws -> Node,
        _ print: (Node) -> String,
        _ use: (Node) -> Void
    ) {
        let node: Node
        do {
            node = try parse(format, arguments)
        } catch let error as PredicateFormatError {
            precondition((0...format.count).contains(error.position), "The place of an error lies outside the format.")
            precondition(!error.message.isEmpty && !error.description.isEmpty, "An error has no message.")
            return
        } catch {
            fatalError("The parser throws another error: \(error)")
        }
        let text = print(node)
        do {
            let again = try parse(text, [])
            guard again == node else { fatalError("\(text)\nis read as\n\(print(again))") }
            guard again.hashValue == node.hashValue else { fatalError("Equal trees differ in hash: \(text)") }
            guard print(again) == text else { fatalError("\(text)\nis printed the second time as\n\(print(again))") }
        } catch {
            fatalError("A printed tree cannot be read: \(error)\n\(text)")
        }
        use(node)
    }
}
