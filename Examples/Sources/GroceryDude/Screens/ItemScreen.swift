// An item's form. It edits a draft with undo, and saves when the reader leaves the screen.
import CoreData
import Foundation
import TableScreens

/// One item: name, quantity, unit, both locations and a photo.
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
                    // By its digits: the Float 0.1 converted to a Double would be shown as 0.10000000149011612.
                    Field(name: "quantity", label: "Quantity", .number(Double(item.quantity.description) ?? 0)),
                ] + PlaceKind.allCases.map { picker($0, of: item, at: place) }
                    + [Field(name: "photoData", label: "Photo", .picture(item.photoData))],
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
        case "name": Self.set(\.name, of: item, to: try action.text(field))
        case "quantity": Self.set(\.quantity, of: item, to: Float(try action.number(field, in: 0...1_000_000)))
        case "unit": Self.set(\.unit, of: item, to: try place.chosen(Unit.self, in: action, field: field))
        case "locationAtHome":
            Self.set(\.locationAtHome, of: item, to: try place.chosen(LocationAtHome.self, in: action, field: field))
        case "locationAtShop":
            Self.set(\.locationAtShop, of: item, to: try place.chosen(LocationAtShop.self, in: action, field: field))
        case "photoData":
            switch try action.picture(field) {
            case .unchanged: break
            case .removed: Self.set(\.photoData, of: item, to: nil)
            case .replaced(let data): Self.set(\.photoData, of: item, to: data)
            }
        default: throw ScreenError.unknownAction(field)
        }
    }

    /// Sets a property if its value changes; setting an equal one, as when 3 is typed again as 3.0, would be a step to
    /// undo.
    private static func set<Value: Equatable>(
        _ property: ReferenceWritableKeyPath<Item, Value>,
        of item: Item,
        to value: Value
    ) {
        if item[keyPath: property] != value { item[keyPath: property] = value }
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
