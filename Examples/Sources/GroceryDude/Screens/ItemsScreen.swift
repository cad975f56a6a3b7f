// The lists of items: all of them at home, and those to buy in the shop.
import CoreData
import Foundation
import TableScreens

/// Items by name, in sections by location at home (Prepare) or in the shop (Shop).
struct ItemsScreen: Screen {
    let tab: ItemTab

    var path: String { tab.path }

    func page(at place: Place) throws -> Page {
        let sections = tab == .prepare ? "locationAtHome.storedIn" : "locationAtShop.aisle"
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: sections, ascending: true, selector: "localizedStandardCompare:"),
            // Names that the first descriptor takes for equal must not alternate, or a section would come twice.
            NSSortDescriptor(key: sections, ascending: true),
            NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
        ]
        request.predicate = tab == .prepare ? nil : NSPredicate(format: "listed == YES")
        request.relationshipKeyPathsForPrefetching = ["unit"]
        request.fetchBatchSize = 40
        return Page(
            title: tab.title,
            buttons: buttons,
            table: .fetched(
                request,
                sectionNameKeyPath: sections,
                refreshedBy: ["Unit"],
                sectionTitle: PlaceKind.title,
                allowsDelete: tab == .prepare,
                emptyText: tab == .prepare
                    ? "No items. Add one with +." : "Nothing to buy. Tap items in Prepare to list them."
            ) { $0.row(in: tab, at: place) },
            toolbar: tab == .prepare
                ? [ToolbarItem("Import a List", label: "Import a list", to: place.link(["import"]))] : []
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        let context = place.context
        switch action.name {
        case "insert":
            let item = Item(context: context)
            // The address of the next screen contains the object ID, so it must be permanent.
            try context.obtainPermanentIDs(for: [item])
            try item.completeLocations()
            try context.save()
            return .openNew(tab.link(place, ["item", .object(item)]), item.objectID)
        case "delete":
            context.delete(try place.object(Item.self, in: action))
        case "list", "unlist":
            let item = try place.object(Item.self, in: action)
            item.listed = action.name == "list"
            item.collected = false
        case "collect", "uncollect":
            try place.object(Item.self, in: action).collected = action.name == "collect"
        case "clear":
            for item in try context.fetch(clearable) {
                item.listed = false
                item.collected = false
            }
        default:
            throw ScreenError.unknownAction(action.name)
        }
        try context.save()
        return .stay
    }

    private var buttons: [BarButton] {
        switch tab {
        case .prepare:
            [
                .action(
                    "Clear",
                    action: "clear",
                    question: Question(
                        "Clear the list?",
                        message: "All items leave the shopping list. The items themselves stay.",
                        confirm: "Clear"
                    )
                ),
                .addAction(label: "New Item", action: "insert"),
            ]
        case .shop: [.action("Clear", action: "clear")]
        }
    }

    /// The items that Clear takes off the list: all of them in Prepare, the collected ones in Shop.
    private var clearable: NSFetchRequest<Item> {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.predicate = NSPredicate(
            format: tab == .prepare ? "listed == YES" : "listed == YES AND collected == YES"
        )
        return request
    }
}
