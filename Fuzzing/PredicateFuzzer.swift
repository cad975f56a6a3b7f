// The entry point that libFuzzer calls with each input. Scripts/fuzz.sh compiles it into one module with the sources of
// GraphPredicates. It traps if the parser breaks an invariant; libFuzzer then reports the input.
import Foundation

/// Parses an input as a predicate and as an expression.
@_cdecl("LLVMFuzzerTestOneInput")
public func readFuzzedFormat(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let format = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    Promises.keep(of: format, PredicateParser.parse, PredicatePrinter.print) { node in
        // A pattern may make a regular expression slow, which is not the language's fault.
        guard !format.uppercased().contains("MATCHES") else { return }
        _ = try? Evaluator(node).evaluate(Promises.object)
    }
    Promises.keep(of: format, PredicateParser.parseExpression, PredicatePrinter.print) { _ in }
    return 0
}

/// The invariants for every format, valid or not.
enum Promises {
    // Accessed by one thread only: libFuzzer runs inputs sequentially.
    nonisolated(unsafe) static let arguments: [Any?] = [
        "name", 1, ["a", "b"], nil, 2.5, "a \"b\" \\", Date(timeIntervalSinceReferenceDate: 0.1), [1, 2], true,
        UInt64.max,
    ]

    nonisolated(unsafe) static let object: [String: Any] = [
        "name": "Ann", "a": 1, "b": ["x", "y"], "c": NSNull(), "d": [["e": 2], ["e": 3.5]], "x": "x", "n": [1, 2, 3],
    ]

    /// Checks that a printed tree parses to an equal tree, and that an error's position lies within the format.
    static func keep<Node: Hashable>(
        of format: String,
        _ parse: (String, [Any?]) throws -> Node,
        _ print: (Node) -> String,
        _ use: (Node) -> Void
    ) {
        let node: Node
        do {
            node = try parse(format, arguments)
        } catch let error as PredicateFormatError {
            precondition((0...format.count).contains(error.position), "The place of an error lies outside the format.")
            precondition(!error.message.isEmpty && !error.description.isEmpty, "An error says nothing.")
            return
        } catch {
            fatalError("The parser throws what is no format error: \(error)")
        }
        let text = print(node)
        do {
            let again = try parse(text, [])
            guard again == node else { fatalError("\(text)\nis read as\n\(print(again))") }
            guard again.hashValue == node.hashValue else { fatalError("Equal trees differ in hash: \(text)") }
            guard print(again) == text else { fatalError("\(text)\nis printed the second time as\n\(print(again))") }
        } catch {
            fatalError("What was printed cannot be read: \(error)")
        }
        use(node)
    }
}
