// Standard output, in large pieces. Every command writes its results here; the reader may close it at any time.
import Foundation
import GraphArchives

/// A buffered file that results are written to.
///
/// Unflushed bytes are lost; commands flush before they return.
final class Output {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Whether `paint` adds colours.
    let hasColours: Bool
    /// The number of columns, if the output is a terminal.
    let width: Int?

    /// Standard output.
    init(_ choice: Terminal.ColourChoice = .auto) {
        descriptor = STDOUT_FILENO
        name = "standard output"
        hasColours = Terminal.hasColours(STDOUT_FILENO, choice)
        width = Terminal.width(of: STDOUT_FILENO)
        // A terminal shows each line immediately.
        limit = width == nil ? 1 << 16 : 1
    }

    /// A device or a pipe, which gets no colours.
    init(_ descriptor: Int32, named name: String) {
        (self.descriptor, self.name) = (descriptor, name)
        hasColours = false
        width = nil
        limit = 1 << 16
    }

    /// Writes text unchanged.
    ///
    /// - Throws: `OutputClosed` if the reader closed the output; `CommandFailure` if the disk is full.
    func write(_ text: String) throws { try write(text.utf8) }

    /// Writes bytes.
    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer += bytes
        if buffer.count >= limit { try flush() }
    }

    /// Writes text and a newline.
    func line(_ text: String = "") throws {
        buffer += text.utf8
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes one JSON value and a newline.
    func line(_ value: JSONValue) throws { try line(value.text) }

    /// The text in a colour, if colours are enabled.
    func paint(_ text: String, _ colour: Colour) -> String { colour.paint(text, if: hasColours) }

    /// Writes the contents of the buffer.
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

    /// Writes a line to standard error, after flushing the output.
    ///
    /// If standard error is closed, the command continues.
    func complain(_ failure: CommandFailure) throws {
        try flush()
        failure.write()
    }
}
