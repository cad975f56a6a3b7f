// Text tables. The first rows determine the widths of the columns; further rows are written immediately, so that a
// table of any length takes the memory of a few rows. Used by commands that list rows.

/// A table being written to an output.
final class TextTable {
    struct Column {
        var title: String
        /// Numbers are right-aligned.
        var isNumber = false
    }

    private let columns: [Column]
    private let output: Output
    private var waiting: [[String]] = []
    private var widths: [Int] = []
    /// Whether the columns of a row are placed below each other.
    private var isTall = false
    /// The number of rows that determine the widths.
    private static let sample = 200
    private static let gap = "  "
    /// The minimum width to which a column is narrowed to make room for others.
    private static let least = 6

    init(_ columns: [Column], to output: Output) {
        self.columns = columns
        self.output = output
    }

    /// Adds a row with one text for each column.
    func row(_ cells: [String]) throws {
        let cells = cells.map(TextWidth.harmless)
        if widths.isEmpty {
            waiting.append(cells)
            if waiting.count >= Self.sample { try begin() }
        } else {
            try write(cells)
        }
    }

    /// Writes the pending rows; a table without rows still has its titles.
    func finish() throws {
        if widths.isEmpty { try begin() }
    }

    private func begin() throws {
        widths = columns.indices.map { place in
            waiting.reduce(TextWidth.columns(columns[place].title)) { max($0, TextWidth.columns($1[place])) }
        }
        if let available = output.width {
            isTall = Self.leastWidth(widths) > available
            widths = Self.fit(widths, into: available)
        }
        if !isTall { try write(columns.map(\.title)) { self.output.paint($0, .bold) } }
        for row in waiting { try write(row) }
        waiting = []
    }

    /// The width of a table after all columns are narrowed.
    static func leastWidth(_ widths: [Int]) -> Int {
        widths.reduce(0) { $0 + min($1, least) } + gap.count * max(0, widths.count - 1)
    }

    /// Writes the columns of a row below each other, as they do not fit side by side.
    private func writeTall(_ cells: [String]) throws {
        let titles = columns.reduce(0) { max($0, TextWidth.columns($1.title)) }
        let room = max(Self.least, (output.width ?? 80) - titles - Self.gap.count)
        for (column, cell) in zip(columns, cells) {
            let padding = String(repeating: " ", count: titles - TextWidth.columns(column.title))
            try output.line(
                output.paint(column.title, .bold) + padding + Self.gap + TextWidth.cut(cell, to: room)
            )
        }
        try output.line()
    }

    /// Fits widths to the available space: the widest columns are narrowed first, down to the minimum width.
    static func fit(_ widths: [Int], into available: Int) -> [Int] {
        var widths = widths
        var excess = widths.reduce(0, +) + gap.count * max(0, widths.count - 1) - available
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > least {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func write(_ cells: [String], paint: (String) -> String = { $0 }) throws {
        if isTall { return try writeTall(cells) }
        var line = ""
        for (place, cell) in cells.enumerated() {
            // Do not truncate in a pipe: the reader is a program, or a pager that can scroll sideways.
            let shownCell = output.width == nil ? cell : TextWidth.cut(cell, to: widths[place])
            let padding = String(repeating: " ", count: max(0, widths[place] - TextWidth.columns(shownCell)))
            if place > 0 { line += Self.gap }
            if columns[place].isNumber {
                line += padding + paint(shownCell)
            } else {
                line += paint(shownCell) + (place == cells.count - 1 ? "" : padding)
            }
        }
        try output.line(line)
    }
}
