// The two tabs of the application: the same items, to prepare the list and to shop.
import TableScreens

/// A tab of items.
///
/// Each has its own list and item screens, so that the back button returns to the same tab.
enum ItemTab: CaseIterable {
    case prepare
    case shop

    var title: String { self == .prepare ? "Prepare" : "Shop" }

    /// The path of the list; the paths of the screens below it begin with it.
    var path: String { self == .prepare ? "" : "shop" }

    var icon: String {
        switch self {
        case .prepare: "M9 6h11M9 12h11M9 18h11M4 6l.8.8L6.5 5M4 12l.8.8L6.5 11M4 18l.8.8L6.5 17"
        case .shop:
            "M3 4h2l2.4 11h10.2L20 7.5H6M9 20a.8.8 0 1 1 0-1.6.8.8 0 0 1 0 1.6M16.5 20a.8.8 0 1 1 0-1.6.8.8 0 0 1 0 1.6"
        }
    }

    /// Returns the path of a screen of this tab.
    func path(_ rest: String) -> String { path.isEmpty ? rest : path + "/" + rest }

    /// Returns the address of a screen of this tab.
    func link(_ place: Place, _ rest: [LinkComponent] = []) -> String {
        place.link((path.isEmpty ? [] : [.word(path)]) + rest)
    }
}
