// The findings of a check, grouped by kind so that a store with a million broken rows yields a report of a few lines.
// Filled by the steps of a check.

/// A list of findings that spells out the first ones of each kind and counts the rest.
struct Findings {
    private static let namedOfEachKind = 10
    private(set) var texts: [String] = []
    private var counts: [String: Int] = [:]
    private var order: [String] = []

    var isEmpty: Bool { texts.isEmpty }

    /// Adds a finding; findings with the same `kind` are counted together.
    mutating func add(_ message: @autoclosure () -> String, kind: String) {
        if counts[kind] == nil { order.append(kind) }
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= Self.namedOfEachKind { texts.append(message()) }
    }

    /// Adds a finding that occurs only once.
    mutating func add(_ message: String) { add(message, kind: message) }

    /// The texts, followed by the number of further findings of each kind.
    func list() -> [String] {
        texts
            + order.compactMap { kind in
                let more = (counts[kind] ?? 0) - Self.namedOfEachKind
                return more > 0 ? "\(kind): \(more) more" : nil
            }
    }
}
