// The groceries of a first start: forty items with their places at home and in the shop, some of them on the list.
import CoreData
import Foundation

extension Item {
    /// Inserts forty items with units and locations.
    ///
    /// - Parameter context: A context, on its queue; the caller saves.
    /// - Throws: Nothing at present.
    static func insertSamples(in context: NSManagedObjectContext) throws {
        var places: [PlaceKind: [String: NSManagedObject]] = [:]
        func place(_ kind: PlaceKind, _ name: String) -> NSManagedObject {
            kind.place(name, among: &places, in: context)
        }
        for (shop, home, items) in shelves {
            for (name, quantity, unit, state) in items {
                let item = Item(context: context)
                item.name = name
                item.quantity = quantity
                item.unit = unit.isEmpty ? nil : place(.unit, unit) as? Unit
                item.locationAtHome = place(.home, home) as? LocationAtHome
                item.locationAtShop = place(.shop, shop) as? LocationAtShop
                item.listed = state != .atHome
                item.collected = state == .collected
            }
        }
    }

    private enum Stock { case atHome, listed, collected }
    private typealias Shelf = (shop: String, home: String, items: [(String, Float, String, Stock)])

    private static let shelves: [Shelf] = [
        (
            "1 Fruit and Vegetables", "Fruit Bowl",
            [
                ("Apples", 1.5, "kg", .collected), ("Bananas", 6, "", .collected), ("Lemons", 3, "", .atHome),
                ("Pears", 1, "kg", .atHome),
            ]
        ),
        (
            "1 Fruit and Vegetables", "Fridge",
            [
                ("Carrots", 1, "kg", .listed), ("Cucumber", 1, "", .atHome), ("Lettuce", 1, "", .collected),
                ("Tomatoes", 0.75, "kg", .listed),
            ]
        ),
        (
            "1 Fruit and Vegetables", "Cellar",
            [("Garlic", 2, "", .atHome), ("Onions", 1, "kg", .atHome), ("Potatoes", 2.5, "kg", .listed)]
        ),
        (
            "2 Bakery", "Bread Box",
            [("Bread", 1, "", .listed), ("Rolls", 4, "", .atHome), ("Rusks", 1, "", .atHome)]
        ),
        (
            "3 Dairy", "Fridge",
            [
                ("Butter", 250, "g", .atHome), ("Cheese", 400, "g", .listed), ("Cream", 0.2, "l", .atHome),
                ("Eggs", 10, "", .collected), ("Milk", 2, "l", .listed), ("Yoghurt", 4, "", .listed),
            ]
        ),
        (
            "4 Baking", "Pantry",
            [
                ("Flour", 1, "kg", .atHome), ("Honey", 500, "g", .atHome), ("Salt", 0.5, "kg", .atHome),
                ("Sugar", 1, "kg", .atHome), ("Yeast", 2, "", .listed),
            ]
        ),
        (
            "5 Pasta and Tins", "Pantry",
            [
                ("Chickpeas", 2, "", .atHome), ("Lentils", 500, "g", .atHome), ("Olive oil", 0.75, "l", .listed),
                ("Rice", 2, "kg", .atHome), ("Spaghetti", 500, "g", .listed), ("Tinned tomatoes", 4, "", .atHome),
            ]
        ),
        (
            "6 Drinks", "Pantry",
            [("Coffee", 500, "g", .listed), ("Tea", 100, "g", .atHome)]
        ),
        ("6 Drinks", "Cellar", [("Apple juice", 3, "l", .atHome), ("Sparkling water", 6, "l", .listed)]),
        (
            "7 Frozen", "Freezer",
            [("Ice cream", 1, "l", .atHome), ("Peas", 450, "g", .atHome)]
        ),
        (
            "8 Household", "Bathroom",
            [("Soap", 2, "", .atHome), ("Toothpaste", 1, "", .listed)]
        ),
        ("8 Household", "Kitchen Sink", [("Sponges", 3, "", .atHome)]),
    ]
}
