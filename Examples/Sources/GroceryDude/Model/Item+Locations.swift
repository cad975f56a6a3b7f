// The rule that every item has both locations. Called when an item is made, and on entering and leaving its screen.
import CoreData

extension Item {
    /// What an item is called whose name was left empty.
    static let defaultName = "New Item"

    /// Sets the locations that are missing to the unknown ones, which are made if they do not exist.
    ///
    /// - Throws: a fetch's errors.
    func completeLocations() throws {
        guard let context = managedObjectContext else { return }
        if locationAtHome == nil { locationAtHome = try PlaceKind.home.unknown(in: context) as? LocationAtHome }
        if locationAtShop == nil { locationAtShop = try PlaceKind.shop.unknown(in: context) as? LocationAtShop }
    }
}
