// Formats the differences between two texts as a unified diff, like `diff -u`. Called by `managedgraph port --diff`.

/// The differing lines of two texts, with three lines of context.
package enum UnifiedDiff {
    private static let context = 3

    /// One line of a comparison.
    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)
    }

    /// A diff, in O(n + d²) for d differing lines.
    ///
    /// - Parameters:
    ///   - before: The old text.
    ///   - after: The new text.
    ///   - path: The name in the header.
    /// - Returns: The lines of the diff; none for equal texts.
    package static func lines(from before: String, to after: String, path: String) -> [String] {
        guard before != after else { return [] }
        let compared = compare(split(before), split(after))
        var result = ["--- a/\(path)", "+++ b/\(path)"]
        var place = 0
        var (old, new) = (1, 1)
        while place < compared.count {
            guard let start = compared[place...].firstIndex(where: { !isSame($0) }) else { break }
            let first = max(place, start - context)
            (old, new) = (old + first - place, new + first - place)
            var end = start
            var last = start
            while end < compared.count, end - last <= 2 * context {
                if !isSame(compared[end]) { last = end }
                end += 1
            }
            end = min(compared.count, last + context + 1)
            let hunk = compared[first..<end]
            let removed = hunk.count { if case .added = $0 { false } else { true } }
            let added = hunk.count { if case .removed = $0 { false } else { true } }
            result.append("@@ -\(span(old, removed)) +\(span(new, added)) @@")
            for line in hunk {
                switch line {
                case .same(let line): write(" ", line)
                case .removed(let line): write("-", line)
                case .added(let line): write("+", line)
                }
            }
            (old, new, place) = (old + removed, new + added, end)
        }
        func write(_ mark: String, _ line: Substring) {
            if line.hasSuffix("\n") {
                result.append(mark + line.dropLast())
            } else if line.utf8.last == UInt8(ascii: "\n") {
                // "\r\n" is a single character.
                result.append(mark + String(decoding: line.utf8.dropLast(), as: UTF8.self))
            } else {
                result += [mark + line, "\\ No newline at end of file"]
            }
        }
        return result
    }

    private static func span(_ start: Int, _ count: Int) -> String {
        let begin = count == 0 ? start - 1 : start
        return count == 1 ? "\(begin)" : "\(begin),\(count)"
    }

    private static func isSame(_ line: Line) -> Bool { if case .same = line { true } else { false } }

    /// Lines with their terminators.
    private static func split(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) }
            lines.append(text[start..<(end ?? text.endIndex)])
            start = end ?? text.endIndex
        }
        return lines
    }

    private static func compare(_ old: [Substring], _ new: [Substring]) -> [Line] {
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var result: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if oldIndex < old.count, removed.contains(oldIndex) {
                result.append(.removed(old[oldIndex]))
                oldIndex += 1
            } else if newIndex < new.count, added.contains(newIndex) {
                result.append(.added(new[newIndex]))
                newIndex += 1
            } else {
                result.append(.same(old[oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return result
    }
}
