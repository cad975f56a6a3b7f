// The experiment of Grocery Dude: an import while its lists are used.
import TableScreens

extension Experiment {
    /// Imports 10,000 items, and opens the list.
    static let largeImport = Experiment(
        name: "import",
        title: "Import 10,000 items while you scroll",
        text: "A background context saves 120 items at a time. The list stays live: scroll, list an item, open one, "
            + "and cancel the import when you have seen enough.",
        button: "Import 10,000 Items",
        path: "import",
        fields: ["action": "save", "count": "10000"]
    )
}
