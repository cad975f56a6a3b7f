// The replacements in one file, none of which overlap. Owned by PortingFile.

/// A list of replacements in one text.
struct EditList {
    private(set) var edits: [TextEdit] = []

    var isEmpty: Bool { edits.isEmpty }

    /// Adds replacements, unless one of them would change bytes that another already changes.
    ///
    /// - Parameter new: Replacements that are valid only together.
    /// - Returns: Whether they were added.
    mutating func add(_ new: [TextEdit]) -> Bool {
        guard canAdd(new) else { return false }
        edits += new
        return true
    }

    /// Whether replacements change no bytes that others already change.
    func canAdd(_ new: [TextEdit]) -> Bool {
        new.allSatisfy { edit in
            !edits.contains { accepted in
                if edit.range.isEmpty || accepted.range.isEmpty {
                    // An insertion inside replaced text would be lost.
                    return edit.range.lowerBound > accepted.range.lowerBound
                        && edit.range.lowerBound < accepted.range.upperBound
                        || accepted.range.lowerBound > edit.range.lowerBound
                            && accepted.range.lowerBound < edit.range.upperBound
                }
                return edit.range.overlaps(accepted.range)
            }
        }
    }

    /// Removes and returns the replacements inside a range.
    mutating func take(inside range: Range<Int>) -> [TextEdit] {
        let inside = edits.filter { $0.range.lowerBound >= range.lowerBound && $0.range.upperBound <= range.upperBound }
        edits.removeAll { inside.contains($0) }
        return inside
    }

    /// The text of a range with replacements applied.
    ///
    /// - Parameters:
    ///   - edits: Replacements, all inside the range.
    ///   - bytes: The whole text.
    ///   - range: The requested range.
    /// - Returns: The resulting text of the range.
    static func apply(_ edits: [TextEdit], to bytes: [UInt8], in range: Range<Int>) -> String {
        // Edits at the same offset keep their order of creation, but insertions precede the text that is replaced, and
        // the end of a condition precedes the beginning of the next.
        let ordered = edits.enumerated().sorted { one, other in
            let (first, second) = (one.element.range, other.element.range)
            if first.lowerBound != second.lowerBound { return first.lowerBound < second.lowerBound }
            if first.isEmpty != second.isEmpty { return first.isEmpty }
            if one.element.endsCondition != other.element.endsCondition { return one.element.endsCondition }
            return one.offset < other.offset
        }
        var result: [UInt8] = []
        var position = range.lowerBound
        for (_, edit) in ordered {
            result += bytes[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += bytes[position..<range.upperBound]
        return String(decoding: result, as: UTF8.self)
    }
}
