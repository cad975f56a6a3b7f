// The description of a table: the source of its rows and the supported edits. Created by screens; LiveTable keeps the
// source while browsers have the table open.
import CoreData

/// The rows of a page.
public struct Table {
    /// Whether rows can be deleted, by swipe and in Edit mode; the screen receives the action `delete`.
    public var allowsDelete: Bool
    /// Whether the rows have a second line.
    public var hasSubtitles: Bool
    /// When the rows' accessory buttons are shown.
    public var showsDetail: DetailDisplay
    /// The text shown if there are no rows.
    public var emptyText: String

    /// When accessory buttons are shown.
    public enum DetailDisplay: Sendable {
        case always
        /// In Edit mode only (and always if there are no scripts).
        case whileEditing
    }

    /// The search field above the rows.
    public var search: Search?

    let makeSource: (NSManagedObjectContext) -> any RowSource

    /// Creates a table from a fetch request, kept current by a fetched results controller.
    ///
    /// - Parameters:
    ///   - request: The request, with at least one sort descriptor.
    ///   - owner: The object that the rows belong to; browsers leave the screen when it is deleted.
    ///   - sectionNameKeyPath: The key path of the section names; must be consistent with the first sort descriptor.
    ///   - cacheName: The controller's section cache.
    ///   - refreshedBy: Other entities whose changes affect the rows.
    ///   - sectionTitle: Returns the title of a section's header.
    ///   - allowsDelete: Whether rows can be deleted.
    ///   - hasSubtitles: Whether the rows have a second line.
    ///   - showsDetail: When the rows' accessory buttons are shown.
    ///   - search: The search field above the rows; during a search, rows can be neither deleted nor edited.
    ///   - emptyText: The text shown if there are no rows.
    ///   - row: Returns an object's row.
    /// - Returns: The table.
    public static func fetched<Object: NSManagedObject>(
        _ request: NSFetchRequest<Object>,
        of owner: NSManagedObject? = nil,
        sectionNameKeyPath: String? = nil,
        cacheName: String? = nil,
        refreshedBy: [String] = [],
        sectionTitle: @escaping (String) -> String = { $0 },
        allowsDelete: Bool = false,
        hasSubtitles: Bool = false,
        showsDetail: DetailDisplay = .always,
        search: Search? = nil,
        emptyText: String = "Nothing here yet",
        row: @escaping (Object) -> Row
    ) -> Table {
        Table(
            allowsDelete: allowsDelete,
            hasSubtitles: hasSubtitles,
            showsDetail: showsDetail,
            emptyText: emptyText,
            search: search
        ) { context in
            let rows: any RowSource
            if let predicate = search?.predicate {
                rows = FilteredRows(
                    request: request,
                    context: context,
                    predicate: predicate,
                    refreshedBy: Set(refreshedBy),
                    row: row
                )
            } else {
                rows = FetchedRows(
                    request: request,
                    context: context,
                    sectionNameKeyPath: sectionNameKeyPath,
                    cacheName: cacheName,
                    refreshedBy: Set(refreshedBy),
                    sectionTitle: sectionTitle,
                    row: row
                )
            }
            return owner.map { OwnedRows(rows, of: $0, context: context) } ?? rows
        }
    }

    /// Creates a table with rows recomputed when the context changes, such as those of a detail screen or a picker.
    ///
    /// - Parameter rows: Returns the rows; throws `ScreenError.notFound` if their object is gone.
    /// - Returns: The table.
    public static func computed(_ rows: @escaping () throws -> [Row]) -> Table {
        Table(allowsDelete: false, hasSubtitles: false, showsDetail: .always, emptyText: "") {
            ComputedRows(context: $0, rows: rows)
        }
    }
}
