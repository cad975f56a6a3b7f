// Grocery Dude: what there is at home, what to buy, and where both are found.
import Foundation
import TableScreens

/// The application.
public let groceryDudeApplication = TableApplication(
    name: "GroceryDude",
    title: "Grocery Dude",
    summary: "A shopping list by cupboard and by aisle.",
    symbol: "🛒",
    tint: .green,
    modelName: "GroceryDude",
    screens: ItemTab.allCases.flatMap { tab -> [any Screen] in
        [ItemsScreen(tab: tab), ItemScreen(tab: tab)]
            + PlaceKind.allCases.flatMap { kind -> [any Screen] in
                [
                    PlacesScreen(tab: tab, kind: kind), PlaceScreen(tab: tab, kind: kind, isNew: true),
                    PlaceScreen(tab: tab, kind: kind, isNew: false),
                ]
            }
    },
    tabs: ItemTab.allCases.map { Tab($0.title, icon: $0.icon, path: $0.path) }
)
