// What an application says: its name, its model, its screens and how its errors are titled.
// Made by the applications, read by the responder. It must not hold a store: `ApplicationStore` does.
import Foundation

/// An application made of table screens over one model.
public struct TableApplication: Sendable {
    /// The first component of its addresses, and the folder of its store.
    public var name: String
    /// The name people read.
    public var title: String
    /// One sentence for the home page.
    public var summary: String
    /// One or two characters for its icon.
    public var symbol: String
    /// The icon's colour.
    public var tint: Tint
    /// The model's name, as `NSPersistentContainer(name:)` takes it.
    public var modelName: String
    /// The screens; the first one is where the application opens.
    public var screens: [any Screen]
    /// The tabs at the bottom of its screens (modal forms have none); empty for an application without.
    public var tabs: [Tab]
    /// The title of the alert for an error, or nil for "Cannot Save".
    public var alertTitle: @Sendable (NSError) -> String?
    /// What becomes of a store that was made with an older version of the model.
    public var migration: Migration

    /// What becomes of a store of an older version.
    public enum Migration: Sendable {
        /// It is migrated when the application opens: by a mapping model of the program, else by an inferred one.
        case automatic
        /// It is left as it is, and the application says why it cannot open.
        case refused
    }

    /// An icon's colour, one that the style sheet knows in light and dark.
    public enum Tint: String, Sendable {
        case blue, orange, green, red, purple
    }

    /// Describes an application.
    ///
    /// - Parameters:
    ///   - name: letters and digits; the first component of the addresses and the store's folder.
    ///   - title: the name people read.
    ///   - summary: one sentence for the home page.
    ///   - symbol: one or two characters for the icon.
    ///   - tint: the icon's colour.
    ///   - modelName: the model, as `NSPersistentContainer(name:)` takes it.
    ///   - screens: the first one is where the application opens.
    ///   - tabs: the tabs at the bottom of its screens.
    ///   - migration: what becomes of a store that was made with an older version of the model.
    ///   - alertTitle: the title for an error's alert, nil for the usual one.
    public init(
        name: String,
        title: String,
        summary: String,
        symbol: String,
        tint: Tint = .blue,
        modelName: String,
        screens: [any Screen],
        tabs: [Tab] = [],
        migration: Migration = .automatic,
        alertTitle: @escaping @Sendable (NSError) -> String? = { _ in nil }
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.symbol = symbol
        self.tint = tint
        self.modelName = modelName
        self.screens = screens
        self.tabs = tabs
        self.alertTitle = alertTitle
        self.migration = migration
    }
}
