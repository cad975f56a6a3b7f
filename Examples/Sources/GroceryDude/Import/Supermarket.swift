// Imports a large list of groceries in batches. Each batch is saved and the context reset, so that memory stays bounded
// and saves are short. Must be called on a background context's queue.
import CoreData
import TableScreens

/// Inserts items of a supermarket's assortment.
struct Supermarket {
    /// The number of items per save: above the number of changes that tables report row by row.
    static let portion = 120

    private static let products = [
        ("Apples", "kg", "Fruit bowl", "Fruit"), ("Bananas", "kg", "Fruit bowl", "Fruit"),
        ("Beans", "g", "Pantry", "Tins"), ("Bread", "", "Bread box", "Bakery"), ("Butter", "g", "Fridge", "Dairy"),
        ("Carrots", "kg", "Fridge", "Vegetables"), ("Cheese", "g", "Fridge", "Dairy"),
        ("Coffee", "g", "Pantry", "Drinks"),
        ("Flour", "kg", "Pantry", "Baking"), ("Honey", "g", "Pantry", "Spreads"),
        ("Ice cream", "l", "Freezer", "Frozen"),
        ("Juice", "l", "Cellar", "Drinks"), ("Lentils", "g", "Pantry", "Tins"), ("Milk", "l", "Fridge", "Dairy"),
        ("Noodles", "g", "Pantry", "Pasta"), ("Oats", "g", "Pantry", "Cereals"),
        ("Onions", "kg", "Cellar", "Vegetables"),
        ("Peas", "g", "Freezer", "Frozen"), ("Rice", "kg", "Pantry", "Pasta"), ("Salt", "g", "Pantry", "Baking"),
        ("Soap", "", "Bathroom", "Household"), ("Tea", "g", "Pantry", "Drinks"),
        ("Tomatoes", "kg", "Fridge", "Vegetables"),
        ("Yoghurt", "g", "Fridge", "Dairy"),
    ]
    private static let kinds = ["Fine", "Fresh", "Organic", "Plain", "Small", "Special"]

    let context: NSManagedObjectContext

    /// Imports items with the units and locations that they refer to.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - progress: Receives the progress after each batch.
    /// - Returns: The message to show when the import is done.
    /// - Throws: The errors of a save; `CancellationError`.
    func importItems(_ count: Int, _ progress: JobProgress) throws -> String {
        for start in stride(from: 0, to: count, by: Self.portion) {
            let end = min(count, start + Self.portion)
            var places: [PlaceKind: [String: NSManagedObject]] = [:]
            for kind in PlaceKind.allCases { places[kind] = try named(kind) }
            for number in start..<end { make(number, &places) }
            try context.save()
            context.reset()
            try progress.report(Double(end) / Double(count), "\(end) of \(count)")
        }
        return "\(count) items are imported."
    }

    private func named(_ kind: PlaceKind) throws -> [String: NSManagedObject] {
        var places: [String: NSManagedObject] = [:]
        for place in try context.fetch(kind.request) { places[place.value(forKey: kind.key) as? String ?? ""] = place }
        return places
    }

    private func make(_ number: Int, _ places: inout [PlaceKind: [String: NSManagedObject]]) {
        let (name, unit, home, shop) = Self.products[number % Self.products.count]
        let kind = Self.kinds[number / Self.products.count % Self.kinds.count]
        let item = Item(context: context)
        item.name = "\(name), \(kind.lowercased()) no. \(number / (Self.products.count * Self.kinds.count) + 1)"
        item.quantity = Float(1 + number % 4) / 2
        func place(_ kind: PlaceKind, _ name: String) -> NSManagedObject {
            kind.place(name, among: &places, in: context)
        }
        item.unit = unit.isEmpty ? nil : place(.unit, unit) as? Unit
        item.locationAtHome = place(.home, home) as? LocationAtHome
        item.locationAtShop = place(.shop, shop) as? LocationAtShop
    }
}
