// A table's description: where its rows come from and what can be done with them. Made by screens; LiveTable keeps
// the source while browsers look at it.
import CoreData

/// The rows of a page.
public struct Table {
    /// Whether rows can be deleted, by swipe and in Edit mode; the screen gets the action `delete`.
    public var allowsDelete: Bool
    /// Whether the rows have a second line.
    public var hasSubtitles: Bool
    /// When the rows' accessory buttons are shown.
    public var showsDetail: DetailDisplay
    /// What is shown where there are no rows.
    public var emptyText: String

    /// When accessory buttons are shown.
    public enum DetailDisplay: Sendable {
        case always
        /// In Edit mode only (and always where there are no scripts).
        case whileEditing
    }

    /// The search field above the rows.
    public var search: Search?

    let makeSource: (NSManagedObjectContext) -> any RowSource

    /// Rows from a fetch request, kept current by a fetched results controller.
    ///
    /// - Parameters:
    ///   - request: the request, with at least one sort descriptor.
    ///   - owner: the object that the rows belong to; a screen that shows them is left when it is deleted.
    ///   - sectionNameKeyPath: the key path that makes sections; the first sort descriptor must agree with it.
    ///   - cacheName: the controller's section cache.
    ///   - refreshedBy: entities other than the request's whose changes show in the rows.
    ///   - sectionTitle: the words of a section's header.
    ///   - allowsDelete: whether rows can be deleted.
    ///   - hasSubtitles: whether the rows have a second line.
    ///   - showsDetail: when the rows' accessory buttons are shown.
    ///   - search: the search field above the rows; while it holds words, rows can be neither deleted nor edited.
    ///   - emptyText: what is shown where there are no rows.
    ///   - row: makes an object's row.
    /// - Returns: the table.
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

    /// Rows that are computed anew when the context changes: the rows of a detail screen, the words of a picker.
    ///
    /// - Parameter rows: computes them; `ScreenError.notFound` says that what they show is gone.
    /// - Returns: the table.
    public static func computed(_ rows: @escaping () throws -> [Row]) -> Table {
        Table(allowsDelete: false, hasSubtitles: false, showsDetail: .always, emptyText: "") {
            ComputedRows(context: $0, rows: rows)
        }
    }
}
