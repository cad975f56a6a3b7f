// The form with the name of a unit or a location, either new or existing.
import CoreData
import Foundation
import TableScreens

/// Adds or renames a unit or a location.
struct PlaceScreen: Screen {
    let tab: ItemTab
    let kind: PlaceKind
    let isNew: Bool

    var path: String { tab.path("item/:item/\(kind.word)/\(isNew ? "new" : ":place")") }

    func page(at place: Place) throws -> Page {
        let name = try object(at: place)?.value(forKey: kind.key) as? String ?? ""
        return Page(
            title: isNew ? "New \(kind.title)" : kind.title,
            back: Link(kind.plural, to: try table(at: place)),
            form: Form(fields: [Field(name: "name", label: "Name", .text(name))], isModal: isNew)
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let name = try action.text("name")
        guard !name.isEmpty else { throw ScreenError.badInput("Enter a name.") }
        let object =
            try object(at: place)
            ?? NSEntityDescription.insertNewObject(forEntityName: kind.entityName, into: place.context)
        object.setValue(name, forKey: kind.key)
        try place.context.save()
        return .open(try table(at: place))
    }

    private func object(at place: Place) throws -> NSManagedObject? {
        guard !isNew else { return nil }
        let object = try place.object(NSManagedObject.self, "place")
        guard object.entity.name == kind.entityName else { throw ScreenError.notFound }
        return object
    }

    private func table(at place: Place) throws -> String {
        tab.link(place, ["item", .object(try place.object(Item.self, "item")), .word(kind.word)])
    }
}
