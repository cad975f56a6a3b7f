// The three tables that an item's pickers choose from, with the names that differ between them.
import CoreData
import Foundation
import TableScreens

/// Units, locations at home and locations in the shop.
enum PlaceKind: CaseIterable {
    case unit
    case home
    case shop

    static let unknown = "..Unknown Location.."

    /// Returns the title of a section or a location.
    static func title(_ name: String) -> String { name == unknown || name.isEmpty ? "Unknown Location" : name }

    var entityName: String {
        switch self {
        case .unit: "Unit"
        case .home: "LocationAtHome"
        case .shop: "LocationAtShop"
        }
    }

    /// The attribute with the name.
    var key: String {
        switch self {
        case .unit: "name"
        case .home: "storedIn"
        case .shop: "aisle"
        }
    }

    /// Returns the place with a name, inserting it if there is none yet.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - places: The known places by kind and name; a new one is added.
    ///   - context: The context, on its queue.
    /// - Returns: The place.
    func place(
        _ name: String,
        among places: inout [PlaceKind: [String: NSManagedObject]],
        in context: NSManagedObjectContext
    ) -> NSManagedObject {
        if let place = places[self]?[name] { return place }
        let place = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        place.setValue(name, forKey: key)
        places[self, default: [:]][name] = place
        return place
    }

    /// The item's relationship, which is also the name of its form field.
    var relationship: String {
        switch self {
        case .unit: "unit"
        case .home: "locationAtHome"
        case .shop: "locationAtShop"
        }
    }

    /// The path component in addresses.
    var word: String {
        switch self {
        case .unit: "units"
        case .home: "home-locations"
        case .shop: "shop-locations"
        }
    }

    var title: String {
        switch self {
        case .unit: "Unit"
        case .home: "Home Location"
        case .shop: "Shop Location"
        }
    }

    var plural: String { title + "s" }

    /// Fetches all objects by name.
    var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.sortDescriptors = [
            NSSortDescriptor(key: key, ascending: true, selector: "localizedStandardCompare:")
        ]
        return request
    }

    /// Returns an object's name as shown to people.
    func name(_ object: NSManagedObject) -> String {
        let name = object.value(forKey: key) as? String ?? ""
        return self == .unit ? (name.isEmpty ? "Untitled" : name) : Self.title(name)
    }

    /// Returns the placeholder location, found by the model's fetch request template and inserted if there is none.
    ///
    /// - Parameter context: The item's context.
    /// - Returns: The location, or nil for units, which an item need not have.
    /// - Throws: The errors of a fetch.
    func unknown(in context: NSManagedObjectContext) throws -> NSManagedObject? {
        guard self != .unit,
            let model = context.persistentStoreCoordinator?.managedObjectModel,
            let request = model.fetchRequestTemplate(forName: "Unknown\(entityName)")
        else { return nil }
        if let place = try context.fetch(request).first as? NSManagedObject { return place }
        let place = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        place.setValue(Self.unknown, forKey: key)
        return place
    }
}
