// The tables behind an item's pickers: units, home locations and shop locations.
import CoreData
import Foundation
import TableScreens

/// One of the three tables, with links to add and rename, and deletion.
struct PlacesScreen: Screen {
    let tab: ItemTab
    let kind: PlaceKind

    var path: String { tab.path("item/:item/\(kind.word)") }

    func page(at place: Place) throws -> Page {
        let item = try place.object(Item.self, "item")
        let here: [LinkComponent] = ["item", .object(item), .word(kind.word)]
        return Page(
            title: kind.plural,
            back: Link("Item", to: tab.link(place, ["item", .object(item)])),
            buttons: [.addLink(label: "New \(kind.title)", to: tab.link(place, here + ["new"]))],
            table: .fetched(
                kind.request,
                of: item,
                allowsDelete: true,
                emptyText: "No \(kind.plural.lowercased()). Add one with +."
            ) { object in
                Row(
                    id: place.reference(object),
                    title: .text(kind.name(object)),
                    action: .open(tab.link(place, here + [.object(object)]))
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "delete" else { throw ScreenError.unknownAction(action.name) }
        let object = try place.object(NSManagedObject.self, in: action)
        guard object.entity.name == kind.entityName else { throw ScreenError.notFound }
        place.context.delete(object)
        try place.context.save()
        return .stay
    }
}
