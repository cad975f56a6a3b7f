// Replacements in a text, by bytes. Created by the rules, applied by Porter. All bytes between them are unchanged.
import SwiftSyntax

/// A replacement of a range of UTF-8 bytes.
package struct TextEdit: Sendable, Hashable {
    /// Offsets in the original text; an empty range inserts.
    package var range: Range<Int>
    package var text: String
    /// Whether the insertion ends a condition that another edit begins before it.
    var endsCondition = false

    package init(_ range: Range<Int>, _ replacement: String) {
        self.range = range
        self.text = replacement
    }

    /// An insertion.
    package init(at offset: Int, _ insertion: String) {
        self.init(offset..<offset, insertion)
    }

    /// A replacement of a syntax node without the blanks and comments around it.
    init(replacing node: some SyntaxProtocol, _ replacement: String) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        self.init(start..<node.endPositionBeforeTrailingTrivia.utf8Offset, replacement)
    }
}
