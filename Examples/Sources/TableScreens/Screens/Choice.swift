// The choices of a picker in a form: objects of a fetched results controller, so that an open form has those that others
// add. Made by screens; LiveForm keeps the controller while browsers look at the form.
import CoreData

/// What a picker offers, and what is chosen at first.
public struct Choice {
    /// The reference of the object that is chosen; empty for none.
    var selected: String
    /// The words for no object; nil where one must be chosen.
    var placeholder: String?
    let makeSource: (NSManagedObjectContext) -> any RowSource

    /// The objects of a fetch request, kept current by a fetched results controller.
    ///
    /// - Parameters:
    ///   - request: the request, with at least one sort descriptor.
    ///   - selected: the object that is chosen at first.
    ///   - placeholder: the words for no object; nil where one must be chosen.
    ///   - title: an object's words.
    /// - Returns: the choice.
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
    /// The words of the object with a reference.
    func title(of reference: String, in context: NSManagedObjectContext) -> String {
        guard !reference.isEmpty else { return placeholder ?? "" }
        let source = makeSource(context)
        guard (try? source.load()) != nil else { return "" }
        return source.options().first { $0.reference == reference }?.title ?? "Deleted"
    }
}

extension RowSource {
    /// The rows as a picker offers them.
    func options() -> [ChoiceOption] {
        let count = sections.reduce(0) { $0 + $1.count }
        return ((try? rows(in: 0..<count)) ?? []).map { row in
            guard case .text(let title) = row.title else { return ChoiceOption(reference: row.id, title: "") }
            return ChoiceOption(reference: row.id, title: title)
        }
    }
}

/// One entry of a picker.
struct ChoiceOption: Sendable, Equatable {
    var reference: String
    var title: String
}
