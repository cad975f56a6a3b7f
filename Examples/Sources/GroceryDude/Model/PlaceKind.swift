// The three tables that an item's pickers choose from: what they have in common, and what tells them apart.
import CoreData
import Foundation
import TableScreens

/// Units, locations at home, locations in the shop.
enum PlaceKind: CaseIterable {
    case unit
    case home
    case shop

    static let unknown = "..Unknown Location.."

    /// A section's or a location's words.
    static func title(_ name: String) -> String { name == unknown || name.isEmpty ? "Unknown Location" : name }

    var entityName: String {
        switch self {
        case .unit: "Unit"
        case .home: "LocationAtHome"
        case .shop: "LocationAtShop"
        }
    }

    /// The attribute that holds the name.
    var key: String {
        switch self {
        case .unit: "name"
        case .home: "storedIn"
        case .shop: "aisle"
        }
    }

    /// The item's relationship, which is also the name of its field.
    var relationship: String {
        switch self {
        case .unit: "unit"
        case .home: "locationAtHome"
        case .shop: "locationAtShop"
        }
    }

    /// The word in addresses.
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

    /// All objects, by name.
    var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return request
    }

    /// An object's name as people read it.
    func name(_ object: NSManagedObject) -> String {
        let name = object.value(forKey: key) as? String ?? ""
        return self == .unit ? (name.isEmpty ? "Untitled" : name) : Self.title(name)
    }

    /// The location that stands for none, found by the model's template and made where there is none.
    ///
    /// - Parameter context: the item's context.
    /// - Returns: the location, or nil for units, which an item need not have.
    /// - Throws: a fetch's errors.
    func unknown(in context: NSManagedObjectContext) throws -> NSManagedObject? {
        guard self != .unit,
            let model = context.persistentStoreCoordinator?.managedObjectModel,
            let request = model.fetchRequestTemplate(forName: "Unknown\(entityName)")
        else { return nil }
        if let found = try context.fetch(request).first as? NSManagedObject { return found }
        let made = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        made.setValue(Self.unknown, forKey: key)
        return made
    }
}
