// Comments that belong to declarations. Used by rules that wrap, move or remove code.
import SwiftSyntax

extension PortingFile {
    /// The offset at which a declaration starts, including the comments directly above it.
    func attachedStart(of node: Syntax) -> Int {
        var offset = node.position.utf8Offset
        var start = offset
        var lines = 0
        for piece in node.leadingTrivia.pieces {
            let length = piece.sourceLength.utf8Length
            switch piece {
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                lines += count
                // A blank line separates unrelated comments.
                if lines > 1 || start == node.position.utf8Offset { start = offset + length }
            case .spaces, .tabs:
                break
            default:
                // A trailing comment belongs to the code before it on its line.
                if lines == 0, offset == node.position.utf8Offset, !beginsLine(offset) { start = offset + length }
                lines = 0
            }
            offset += length
        }
        // Start at the beginning of the line if only white space precedes.
        let token = node.positionAfterSkippingLeadingTrivia.utf8Offset
        var first = start
        while first < token, bytes[first] == 32 || bytes[first] == 9 { first += 1 }
        return beginsLine(first) ? lineStart(first) : token
    }
}
