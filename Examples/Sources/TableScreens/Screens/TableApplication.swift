// The description of an application: its name, its model, its screens and the titles of its errors. Created by the
// applications, read by the responder. It must not hold a store: `ApplicationStore` does.
import CoreData
import Foundation

/// An application consisting of table screens over one model.
public struct TableApplication: Sendable {
    /// The first component of its addresses, and the folder of its store.
    public var name: String
    /// The name shown to people.
    public var title: String
    /// One sentence for the home page.
    public var summary: String
    /// One or two characters for its icon.
    public var symbol: String
    /// The icon's colour.
    public var tint: Tint
    /// The model's name, as passed to `NSPersistentContainer(name:)`.
    public var modelName: String
    /// The screens; the application opens with the first one.
    public var screens: [any Screen]
    /// The tabs at the bottom of its screens (except modal forms); empty for an application without tabs.
    public var tabs: [Tab]
    /// The title of the alert for an error, or nil for "Cannot Save".
    public var alertTitle: @Sendable (NSError) -> String?
    /// The treatment of a store created with an older version of the model.
    public var migration: Migration

    /// Whether its store records each save in the persistent history.
    public var keepsHistory: Bool
    /// The features that it shows, in a sentence for the home page.
    public var proves: String
    /// Inserts the sample data of the first start; called on a background context's queue.
    public var samples: (@Sendable (NSManagedObjectContext) throws -> Void)?
    /// Its experiments on the page “Try to Break It”.
    public var experiments: [Experiment]

    /// The treatment of a store of an older version.
    public enum Migration: Sendable {
        /// Migrates the store on opening, with a mapping model of the program or else with an inferred one.
        case automatic
        /// Leaves the store unchanged; the application shows why it cannot open.
        case refused
    }

    /// An icon's colour, defined in the style sheet for light and dark mode.
    public enum Tint: String, Sendable {
        case blue, orange, green, red, purple
    }

    /// Creates the description of an application.
    ///
    /// - Parameters:
    ///   - name: Letters and digits; the first component of the addresses and the store's folder.
    ///   - title: The name shown to people.
    ///   - summary: One sentence for the home page.
    ///   - symbol: One or two characters for the icon.
    ///   - tint: The icon's colour.
    ///   - modelName: The model, as passed to `NSPersistentContainer(name:)`.
    ///   - screens: The screens; the application opens with the first one.
    ///   - tabs: The tabs at the bottom of its screens.
    ///   - migration: The treatment of a store created with an older version of the model.
    ///   - alertTitle: Returns the title of an error's alert, or nil for the default.
    ///   - keepsHistory: Whether its store records each save in the persistent history.
    ///   - proves: The features that it shows, in a sentence for the home page.
    ///   - experiments: Its experiments on the page “Try to Break It”.
    ///   - samples: Inserts the sample data of the first start; called on a background context's queue.
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
        alertTitle: @escaping @Sendable (NSError) -> String? = { _ in nil },
        keepsHistory: Bool = false,
        proves: String = "",
        experiments: [Experiment] = [],
        samples: (@Sendable (NSManagedObjectContext) throws -> Void)? = nil
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
        self.keepsHistory = keepsHistory
        self.proves = proves
        self.experiments = experiments
        self.samples = samples
    }
}
