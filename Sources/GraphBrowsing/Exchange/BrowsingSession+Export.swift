// Rows as JSON and CSV, as the grid shows them: the same columns, order and predicate.
import Foundation
import GraphArchives
import ManagedGraph
import ManagedGraphTools

extension BrowsingSession {
    /// Writes the rows of a view, any number in the memory of some hundreds.
    ///
    /// Numbers and truth values are written as such, dates as ISO 8601 in UTC, data as base64, related objects by name
    /// and to-many relationships by number. Values are those of the store, without staged changes.
    ///
    /// - Parameters:
    ///   - request: The view; offset and limit select rows, and a limit of 0 means all.
    ///   - form: The format.
    ///   - write: Receives the text in portions.
    /// - Throws: As `window(_:staged:)`, and errors of `write`.
    public func export(
        _ request: RowRequest,
        as form: ExportForm,
        _ write: (Data) async throws -> Void
    ) async throws {
        let stamp = stamp
        let columns = try shapes.columns(request.columns, of: request.entity)
        let fetch = try viewFetch(request)
        let view = RowLists.View(request)
        let lists = lists
        let list = try await read { [self] context in
            try lists.list(view, stamp) ?? rowList(fetch, limit: 0, in: context)
        }
        let start = min(RowLists.clamped(request.offset), list.count)
        let end = request.limit > 0 ? min(start + RowLists.clamped(request.limit), list.count) : list.count
        var rowText = RowText(form, columns.map(\.name))
        var next = start
        repeat {
            let ids = list.objectIDs(next..<min(next + 500, end))
            next += ids.count
            var reader = cells
            reader.textLimit = Int.max
            let wholeReader = reader
            let lines = try await read { context -> [UInt8] in
                var part = rowText
                let binary = columns.filter { $0.cell == .binary }
                for row in try Self.rows(ids, columns, wholeReader, in: context) where row.state != .gone {
                    var data: [String: Data] = [:]
                    if !binary.isEmpty, let id = try? self.names.objectID(row.id) {
                        let object = try context.existingObject(with: id)
                        for column in binary { data[column.name] = object.value(forKeyPath: column.name) as? Data }
                    }
                    part.append(row, columns, data)
                }
                return part.take()
            }
            rowText.isFirst = rowText.isFirst && ids.isEmpty
            try await write(Data(rowText.beginning() + lines))
        } while next < end
        try await write(Data(rowText.ending()))
    }
}
