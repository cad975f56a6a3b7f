// Standard output, in large pieces. Every command writes its results here; whoever reads may stop reading at any time.
import Foundation
import GraphArchives

/// Nobody reads the output any more: the command ends without a word.
struct OutputClosed: Error {}

/// A file that results are written to, through a buffer.
///
/// What is not flushed is lost; commands flush before they return.
final class Output {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Whether `paint` paints.
    let hasColours: Bool
    /// Columns, where it is a terminal.
    let width: Int?

    /// Standard output.
    init(_ choice: Terminal.ColourChoice = .auto) {
        descriptor = STDOUT_FILENO
        name = "standard output"
        hasColours = Terminal.hasColours(STDOUT_FILENO, choice)
        width = Terminal.width(of: STDOUT_FILENO)
        // People see each line as it comes.
        limit = width == nil ? 1 << 16 : 1
    }

    /// Writes text as it is.
    ///
    /// - Throws: `OutputClosed` where nobody reads; `CommandFailure` where the disk is full.
    func write(_ text: String) throws { try write(text.utf8) }

    /// Writes bytes.
    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer += bytes
        if buffer.count >= limit { try flush() }
    }

    /// Writes text and the end of the line.
    func line(_ text: String = "") throws {
        buffer += text.utf8
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes one JSON value and the end of the line.
    func line(_ value: JSONValue) throws { try line(value.text) }

    /// The text in a colour, where colours are wanted.
    func paint(_ text: String, _ colour: Colour) -> String { colour.paint(text, if: hasColours) }

    /// Writes what is in the buffer.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        var start = 0
        while start < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count >= 0 {
                start += count
                continue
            }
            switch errno {
            case EINTR: try Interruption.check()
            case EPIPE: throw OutputClosed()
            case let code:
                throw CommandFailure(name, "\(String(cString: strerror(code))). Check the place it leads to.")
            }
        }
    }

    /// Writes a line to standard error, after what was written before.
    ///
    /// Where nobody reads it, the command goes on.
    func complain(_ failure: CommandFailure) throws {
        try flush()
        failure.write()
    }
}
