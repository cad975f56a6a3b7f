// The choices of a picker in a form. A fetched results controller keeps them current while the form is open. Created by
// screens; LiveForm keeps the controller while browsers have the form open.
import CoreData

/// The options of a picker and the initial selection.
public struct Choice {
    /// The reference of the selected object; empty for none.
    var selected: String
    /// The title for no selection; nil if one object must be chosen.
    var placeholder: String?
    let makeSource: (NSManagedObjectContext) -> any RowSource

    /// Creates a choice of the objects of a fetch request, kept current by a fetched results controller.
    ///
    /// - Parameters:
    ///   - request: The request, with at least one sort descriptor.
    ///   - selected: The initially selected object.
    ///   - placeholder: The title for no selection; nil if one object must be chosen.
    ///   - title: Returns an object's title.
    /// - Returns: The choice.
    public static func fetched<Object: NSManagedObject>(
        _ request: NSFetchRequest<Object>,
        selected: Object?,
        placeholder: String? = nil,
        title: @escaping (Object) -> String
    ) -> Choice {
        Choice(
            selected: selected.map { ObjectReference($0.objectID.uriRepresentation()).text } ?? "",
            placeholder: placeholder
        ) { context in
            FetchedRows(
                request: request,
                context: context,
                sectionNameKeyPath: nil,
                cacheName: nil,
                refreshedBy: [],
                sectionTitle: { $0 },
                row: { object in
                    Row(id: ObjectReference(object.objectID.uriRepresentation()).text, title: .text(title(object)))
                }
            )
        }
    }
}

extension Choice {
    /// Returns the title of the object with a reference.
    func title(of reference: String, in context: NSManagedObjectContext) -> String {
        guard !reference.isEmpty else { return placeholder ?? "" }
        let source = makeSource(context)
        guard (try? source.load()) != nil else { return "" }
        return source.options().first { $0.reference == reference }?.title ?? "Deleted"
    }
}

extension RowSource {
    /// Returns the rows as picker options.
    func options() -> [ChoiceOption] {
        let count = sections.reduce(0) { $0 + $1.count }
        return ((try? rows(in: 0..<count)) ?? []).map { row in
            guard case .text(let title) = row.title else { return ChoiceOption(reference: row.id, title: "") }
            return ChoiceOption(reference: row.id, title: title)
        }
    }
}
