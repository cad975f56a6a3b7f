// An item's form. It edits a draft with undo, and saves when the reader leaves the screen.
import CoreData
import Foundation
import TableScreens

/// One item: name, quantity, unit and both locations.
struct ItemScreen: DraftScreen {
    let tab: ItemTab

    var path: String { tab.path("item/:item") }

    func page(at place: Place) throws -> Page {
        let item = try place.object(Item.self, "item")
        return Page(
            title: "Item",
            back: Link(tab.title, to: tab.link(place)),
            form: Form(
                fields: [
                    Field(name: "name", label: "Name", .text(item.name ?? "")),
                    Field(name: "quantity", label: "Quantity", .number(Double(item.quantity.description) ?? 0)),
                ] + PlaceKind.allCases.map { picker($0, of: item, at: place) },
                focuses: item.name == Item.defaultName
            )
        )
    }

    func enter(at place: Place) throws {
        try place.object(Item.self, "item").completeLocations()
    }

    func change(_ field: String, in action: Action, at place: Place) throws {
        let item = try place.object(Item.self, "item")
        switch field {
        case "name": item.name = try action.text(field)
        case "quantity": item.quantity = Float(try action.number(field, in: 0...1_000_000))
        case "unit": item.unit = try place.chosen(Unit.self, in: action, field: field)
        case "locationAtHome": item.locationAtHome = try place.chosen(LocationAtHome.self, in: action, field: field)
        case "locationAtShop": item.locationAtShop = try place.chosen(LocationAtShop.self, in: action, field: field)
        default: throw ScreenError.unknownAction(field)
        }
    }

    func leave(at place: Place) throws {
        let item = try place.object(Item.self, "item")
        if item.name?.isEmpty != false { item.name = Item.defaultName }
        try item.completeLocations()
    }

    private func picker(_ kind: PlaceKind, of item: Item, at place: Place) -> Field {
        Field(
            name: kind.relationship,
            label: kind.title,
            .choice(
                .fetched(
                    kind.request,
                    selected: item.value(forKey: kind.relationship) as? NSManagedObject,
                    placeholder: kind == .unit ? "None" : nil
                ) { kind.name($0) }
            ),
            accessory: Link("Edit \(kind.plural)", to: tab.link(place, ["item", .object(item), .word(kind.word)]))
        )
    }
}
