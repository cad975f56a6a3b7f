// A Swift file being ported: its syntax, its lines, the parts compiled on other platforms, and the edits so far.
// Created by Porter; rules read it and add findings.
import SwiftParser
import SwiftSyntax

/// A file and its findings.
final class PortingFile {
    let path: String
    let bytes: [UInt8]
    let tree: SourceFileSyntax
    private let converter: SourceLocationConverter
    /// The parts left out on other platforms, by the file's own conditions or by a rule.
    private(set) var leftOut: [Range<Int>] = []
    var edits = EditList()
    private(set) var findings: [Finding] = []
    /// The newline of this file.
    let newline: String

    init(path: String, text source: String) {
        self.path = path
        bytes = Array(source.utf8)
        tree = Parser.parse(source: source)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        newline = source.contains("\r\n") ? "\r\n" : "\n"
        let reader = InactiveRegions()
        reader.walk(tree)
        leftOut = reader.ranges
    }

    /// Whether the file has no syntax errors.
    var isParsed: Bool { !tree.hasError }

    // MARK: Text

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The offset of the start of the line that contains an offset.
    func lineStart(_ offset: Int) -> Int {
        var start = offset
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return start
    }

    /// The offset after the end of the line that contains an offset.
    func lineEnd(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        return min(end + 1, bytes.count)
    }

    /// The edit that adds lines at the end of the file.
    func appending(_ lines: [String]) -> TextEdit {
        let lead = bytes.last == UInt8(ascii: "\n") || bytes.isEmpty ? "" : newline
        return TextEdit(at: bytes.count, lead + lines.joined(separator: newline))
    }

    /// The leading white space of the line that contains an offset.
    func indentation(_ offset: Int) -> String {
        let start = lineStart(offset)
        var end = start
        while end < bytes.count, bytes[end] == 32 || bytes[end] == 9 { end += 1 }
        return text(start..<end)
    }

    /// Whether only white space precedes an offset on its line.
    func beginsLine(_ offset: Int) -> Bool {
        bytes[lineStart(offset)..<offset].allSatisfy { $0 == 32 || $0 == 9 }
    }

    /// Whether only white space follows an offset on its line.
    func endsLine(_ offset: Int) -> Bool {
        var end = offset
        while end < bytes.count, [32, 9, 13].contains(bytes[end]) { end += 1 }
        return end >= bytes.count || bytes[end] == UInt8(ascii: "\n")
    }

    // MARK: Compiled parts

    func isLeftOut(_ node: some SyntaxProtocol) -> Bool {
        let offset = node.positionAfterSkippingLeadingTrivia.utf8Offset
        return leftOut.contains { $0.contains(offset) }
    }

    func leaveOut(_ range: Range<Int>) { leftOut.append(range) }

    // MARK: Findings

    /// Adds a finding and its edits; if they collide with other edits, the finding is not fixed.
    func report(
        _ rule: String,
        at node: some SyntaxProtocol,
        _ message: String,
        _ remedy: String,
        edits new: [TextEdit]? = nil
    ) {
        let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        let isFixed = new.map { edits.add($0) } ?? false
        let isLost = new != nil && !isFixed
        findings.append(
            Finding(
                file: path,
                line: place.line,
                column: place.column,
                rule: rule,
                message: message,
                remedy: isLost ? "Run the command once more: another rewriting is at this place." : remedy,
                isFixed: isFixed
            )
        )
    }

    /// The edits that wrap a range of whole lines in a condition.
    ///
    /// - Parameters:
    ///   - range: The lines.
    ///   - condition: The condition after `#if`.
    ///   - otherwise: A line for the `#else` part; nil for none.
    /// - Returns: The edits.
    func wrap(_ range: Range<Int>, in condition: String, otherwise: String? = nil) -> [TextEdit] {
        let start = lineStart(range.lowerBound)
        let begins = beginsLine(range.lowerBound) ? start : range.lowerBound
        let lead = begins == start ? "" : newline
        let end = endsLine(range.upperBound) ? lineEnd(range.upperBound) : range.upperBound
        let hasNewline = end > 0 && bytes[end - 1] == UInt8(ascii: "\n")
        let space = indentation(range.lowerBound)
        let body = begins == start ? space : ""
        let elseBranch = otherwise.map { "\(space)#else\(newline)\(space)\($0)\(newline)" } ?? ""
        // Do not add a newline at the end of a file that has none.
        let tail = hasNewline || end < bytes.count ? newline : ""
        var closing = TextEdit(at: end, "\(hasNewline ? "" : newline)\(elseBranch)\(space)#endif\(tail)")
        closing.endsCondition = true
        return [TextEdit(at: begins, "\(lead)\(body)#if \(condition)\(newline)"), closing]
    }

    /// The text after all edits.
    var result: String { EditList.apply(edits.edits, to: bytes, in: 0..<bytes.count) }
}
