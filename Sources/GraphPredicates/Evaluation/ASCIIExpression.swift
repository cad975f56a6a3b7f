// A regular expression as a table of states: matching takes one step per character, whatever the pattern. Built for the
// patterns that ASCIIExpressionParser accepts. NSRegularExpression, which defines the language, matches all others, and
// the texts for which this automaton has no certain answer. Used by RegularExpressions.

/// A deterministic automaton that decides whether an expression matches a whole text.
struct ASCIIExpression: Sendable {
    /// A table with more states takes too much memory.
    private static let maximumStates = 100
    private static let dead: UInt16 = 0

    /// The column of the table for each byte below 128, and last the column of all other characters.
    ///
    /// Bytes that no part of the expression distinguishes share a column.
    private let columns: [UInt8]
    private let columnCount: Int
    /// The next state by state and column.
    private let next: [UInt16]
    private let isAccepting: [Bool]
    private let start: UInt16
    private let ignoresCase: Bool
    private let knowsASCIIOnly: Bool

    /// Compiles a pattern; nil if the automaton does not support it.
    init?(_ pattern: String, ignoresCase: Bool) {
        guard let (tree, knowsASCIIOnly) = ASCIIExpressionParser.parse(pattern, ignoresCase: ignoresCase),
            let steps = ASCIIExpressionSteps(tree)
        else { return nil }
        self.ignoresCase = ignoresCase
        self.knowsASCIIOnly = knowsASCIIOnly
        let sets = steps.sets
        var columnByMembership: [[Bool]: UInt8] = [:]
        var columns: [UInt8] = []
        var samples: [UInt8] = []
        for byte in UInt8(0)...128 {
            let membership = sets.map { $0.contains(byte) }
            if let column = columnByMembership[membership] {
                columns.append(column)
            } else {
                let column = UInt8(samples.count)
                columnByMembership[membership] = column
                columns.append(column)
                samples.append(byte)
            }
        }
        // The first state is the empty set, from which nothing is accepted.
        var numbers: [[Int]: UInt16] = [[]: Self.dead]
        var states: [[Int]] = [[]]
        var next: [UInt16] = []
        func number(_ state: [Int]) -> UInt16 {
            if let number = numbers[state] { return number }
            let number = UInt16(states.count)
            numbers[state] = number
            states.append(state)
            return number
        }
        start = number(steps.closure(of: [0]))
        var index = 0
        while index < states.count {
            guard states.count <= Self.maximumStates else { return nil }
            for sample in samples { next.append(number(steps.advance(states[index], over: sample))) }
            index += 1
        }
        self.columns = columns
        columnCount = samples.count
        self.next = next
        isAccepting = states.map { $0.contains(steps.end) }
    }

    /// Whether the expression matches a whole text; nil if that is not certain.
    ///
    /// O(length of the text).
    func answer(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        columns.withUnsafeBufferPointer { columns in
            next.withUnsafeBufferPointer { next in
                var state = start
                var place = 0
                while place < text.count {
                    let byte = text[place]
                    if byte < 0x80 {
                        place &+= 1
                        state = next[Int(state) &* columnCount &+ Int(columns[Int(byte)])]
                    } else {
                        guard let length = other(text, place) else { return nil }
                        place &+= length
                        state = next[Int(state) &* columnCount &+ Int(columns[Int(ASCIISet.other)])]
                    }
                    // No further character can lead to a match.
                    if state == Self.dead { return false }
                }
                return isAccepting[Int(state)]
            }
        }
    }

    /// The length of a character outside ASCII if no ASCII pattern can treat it specially; otherwise nil.
    @inline(__always)
    private func other(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        guard !knowsASCIIOnly, place + 1 < text.count else { return nil }
        let (byte, second) = (text[place], text[place + 1])
        guard second & 0xC0 == 0x80 else { return nil }
        if byte < 0xE0 {
            // Excludes U+0080 to U+009F: U+0085 ends a line.
            guard byte > 0xC2 || byte == 0xC2 && second >= 0xA0 else { return nil }
            guard ignoresCase else { return 2 }
            // Accept only letters whose case folding is one letter outside ASCII.
            let (form, length) = TextFolding.letters(.caseInsensitive).form(text, place)
            return byte < 0xCC && form >> 24 == 2 && form >> 16 & 0xFF >= 0x80 && !(byte == 0xC7 && second == 0xB0)
                ? length : nil
        }
        guard !ignoresCase, place + 2 < text.count, text[place + 2] & 0xC0 == 0x80 else { return nil }
        switch byte {
        // U+2028 and U+2029 end a line.
        case 0xE2: return second == 0x80 && text[place + 2] & 0xFE == 0xA8 ? nil : 3
        case 0xE1, 0xE3...0xEC, 0xEE, 0xEF: return 3
        case 0xF0: return second >= 0x90 && place + 3 < text.count && text[place + 3] & 0xC0 == 0x80 ? 4 : nil
        default: return nil
        }
    }
}
