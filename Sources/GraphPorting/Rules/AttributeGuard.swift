// Wraps an attribute of a declaration in a condition, alone on its lines. Used by the rules for attributes.
import SwiftSyntax

enum AttributeGuard {
    /// Wraps an attribute in a condition on a module, and reports it.
    static func wrap(
        _ node: AttributeSyntax,
        in file: PortingFile,
        _ module: String,
        _ rule: String,
        _ message: String
    ) {
        let condition = "canImport(\(module))"
        let edits = edits(for: node, in: file, condition: condition)
        file.report(rule, at: node, message, "The attribute is under #if \(condition).", edits: edits)
    }

    /// The edits for an attribute.
    ///
    /// - Parameters:
    ///   - node: The attribute; those before and after it are kept.
    ///   - file: Its file.
    ///   - condition: The condition after `#if`.
    /// - Returns: The edits.
    private static func edits(for node: AttributeSyntax, in file: PortingFile, condition: String) -> [TextEdit] {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        let space = file.indentation(start)
        let newline = file.newline
        let opening: TextEdit
        if file.beginsLine(start) {
            opening = TextEdit(at: file.lineStart(start), "\(space)#if \(condition)\(newline)")
        } else {
            // Code before the attribute stays on its line, without trailing space.
            var last = start
            while last > 0, file.bytes[last - 1] == 32 || file.bytes[last - 1] == 9 { last -= 1 }
            opening = TextEdit(last..<start, "\(newline)\(space)#if \(condition)\(newline)\(space)")
        }
        if file.endsLine(end) {
            let close = file.lineEnd(end)
            let hasNewline = close > 0 && file.bytes[close - 1] == UInt8(ascii: "\n")
            return [opening, TextEdit(at: close, "\(hasNewline ? "" : newline)\(space)#endif\(newline)")]
        }
        // Move the rest of the declaration to a new line, without leading space.
        var next = end
        while next < file.bytes.count, file.bytes[next] == 32 || file.bytes[next] == 9 { next += 1 }
        return [opening, TextEdit(end..<next, "\(newline)\(space)#endif\(newline)\(space)")]
    }
}
