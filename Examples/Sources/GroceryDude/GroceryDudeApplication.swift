// Grocery Dude: a shopping list with the locations of items at home and in the shop.
import TableScreens

/// The application.
public let groceryDudeApplication = TableApplication(
    name: "GroceryDude",
    title: "Grocery Dude",
    summary: "A shopping list by cupboard and by aisle.",
    symbol: "G",
    tint: .green,
    modelName: "GroceryDude",
    screens: ItemTab.allCases.flatMap(screens) + [ImportScreen()],
    tabs: ItemTab.allCases.map { Tab($0.title, icon: $0.icon, path: $0.path) },
    proves:
        "Forms edit drafts in child contexts with undo; entities inherit; a background context imports a large list.",
    experiments: [.largeImport],
    samples: { try Item.insertSamples(in: $0) }
)

/// The screens of a tab: the list, an item's form, and the tables behind its pickers.
private func screens(of tab: ItemTab) -> [any Screen] {
    var screens: [any Screen] = [ItemsScreen(tab: tab), ItemScreen(tab: tab)]
    for kind in PlaceKind.allCases {
        screens.append(PlacesScreen(tab: tab, kind: kind))
        screens += [true, false].map { PlaceScreen(tab: tab, kind: kind, isNew: $0) }
    }
    return screens
}
