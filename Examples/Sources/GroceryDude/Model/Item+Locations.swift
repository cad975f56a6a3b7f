// Ensures that every item has both locations. Called when an item is inserted, and on entering and leaving its screen.
import CoreData

extension Item {
    /// The name of an item whose name was left empty.
    static let defaultName = "New Item"

    /// Sets missing locations to the unknown ones, inserting these if they do not exist.
    ///
    /// - Throws: The errors of a fetch.
    func completeLocations() throws {
        guard let context = managedObjectContext else { return }
        if locationAtHome == nil { locationAtHome = try PlaceKind.home.unknown(in: context) as? LocationAtHome }
        if locationAtShop == nil { locationAtShop = try PlaceKind.shop.unknown(in: context) as? LocationAtShop }
    }
}
