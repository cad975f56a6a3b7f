// Replacements in a text, by bytes. Created by the rules, applied by Porter. All bytes between them are unchanged.

/// A replacement of a range of UTF-8 bytes.
package struct TextEdit: Sendable, Hashable {
    /// Offsets in the original text; an empty range inserts.
    package var range: Range<Int>
    package var text: String

    package init(_ range: Range<Int>, _ text: String) {
        self.range = range
        self.text = text
    }

    /// An insertion.
    package init(at offset: Int, _ text: String) {
        self.init(offset..<offset, text)
    }
}
