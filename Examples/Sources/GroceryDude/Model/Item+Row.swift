// The rows of items in the lists. Called by ItemsScreen on the context's queue.
import TableScreens

extension Item {
    /// Returns the item's row: orange if it is on the list, greyed with a check mark if it has been collected.
    func row(in tab: ItemTab, at place: Place) -> Row {
        let reference = place.reference(self)
        let style: Row.Style
        let action: String
        let label: String?
        switch (tab, listed, collected) {
        case (.prepare, true, _): (style, action, label) = (.highlighted, "unlist", "on the list")
        case (.prepare, false, _): (style, action, label) = (.plain, "list", nil)
        case (.shop, _, true): (style, action, label) = (.dimmed, "uncollect", "collected")
        case (.shop, _, false): (style, action, label) = (.plain, "collect", nil)
        }
        return Row(
            id: reference,
            title: RowText(name, placeholder: "Untitled"),
            value: RowText(quantity, unit: unit?.name ?? ""),
            style: style,
            styleLabel: label,
            detail: tab.link(place, ["item", .object(self)]),
            action: .perform(action, reference)
        )
    }
}
