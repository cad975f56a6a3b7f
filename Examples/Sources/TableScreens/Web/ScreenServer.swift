// The server of one or more applications: opens their stores, responds to requests, and shuts down cleanly. The only
// public entry point; the executable calls it.
import CoreData
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// Serves applications with table screens on this machine.
public struct ScreenServer: Sendable {
    /// A part of the site that another module serves; set it before `run`.
    public var guest: ServerGuest? {
        didSet { pages.guest = guest }
    }

    private let slots: [ScreenResponder.Slot]
    private var pages: PageRenderer
    private let diagrams: [String: String]
    private let logger: Logger

    /// Opens the applications' stores in a folder.
    ///
    /// - Parameters:
    ///   - applications: The applications, in the order of the home page.
    ///   - folder: The folder, in which each application has a subfolder.
    ///   - fillsNewStores: Whether applications without a store begin with their sample data.
    ///   - logger: Receives the server's messages.
    /// - Throws: An error if the templates cannot be read.
    public init(
        _ applications: [TableApplication],
        storesIn folder: URL,
        fillsNewStores: Bool = false,
        logger: Logger = Logger(label: "TableScreens")
    ) async throws {
        try await self.init(applications, storesIn: .folder(folder), fillsNewStores: fillsNewStores, logger: logger)
    }

    /// Opens the applications' stores.
    ///
    /// An application whose store cannot be opened shows the reason on its page; the others work.
    ///
    /// - Parameters:
    ///   - applications: The applications, in the order of the home page.
    ///   - place: The place of the stores: a folder, or a database.
    ///   - fillsNewStores: Whether applications without a store begin with their sample data.
    ///   - logger: Receives the server's messages.
    /// - Throws: An error if the templates cannot be read.
    public init(
        _ applications: [TableApplication],
        storesIn place: StorePlace,
        fillsNewStores: Bool = false,
        logger: Logger = Logger(label: "TableScreens")
    ) async throws {
        // Before other threads allocate.
        SystemAllocator.limitAreas()
        pages = try PageRenderer()
        self.logger = logger
        diagrams = Dictionary(
            uniqueKeysWithValues: applications.map { application in
                let model = NSPersistentContainer(name: application.modelName).managedObjectModel
                return (application.name, ModelDiagram(model).svg("The model of \(application.title)"))
            }
        )
        var slots: [ScreenResponder.Slot] = []
        for application in applications {
            do {
                let store = try await ApplicationStore.open(
                    application,
                    in: place,
                    renderer: pages.rows,
                    logger: logger
                )
                if fillsNewStores, store.isNew { try await store.fill() }
                slots.append(.open(store))
            } catch {
                logger.error("The store of \(application.title) could not be opened: \(error)")
                slots.append(Self.failure(application, error as NSError, place))
            }
        }
        self.slots = slots
    }

    /// Returns the store of an application if it is open.
    ///
    /// - Parameter name: The application's name.
    /// - Returns: Its store, or nil.
    public func store(_ name: String) -> ApplicationStore? {
        slots.lazy.compactMap { slot in
            if case .open(let store) = slot, store.application.name == name { store } else { nil }
        }.first
    }

    /// Serves until the process receives SIGINT or SIGTERM, then ends the event streams, saves, and closes the stores.
    ///
    /// - Parameters:
    ///   - port: The port on 127.0.0.1.
    ///   - ready: Called with the port when the server accepts requests.
    /// - Throws: An error if the port is not available or a store cannot be saved.
    public func run(port: Int, ready: @escaping @Sendable (Int) -> Void) async throws {
        let application = Application(
            responder: ScreenResponder(slots: slots, pages: pages, diagrams: diagrams, logger: logger),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            services: [Housekeeping(stores: stores, guest: guest)],
            onServerRunning: { ready($0.localAddress?.port ?? port) },
            logger: logger
        )
        try await application.runService(gracefulShutdownSignals: [.sigterm, .sigint])
        for store in stores { try await store.close() }
    }

    private var stores: [ApplicationStore] {
        slots.compactMap { if case .open(let store) = $0 { store } else { nil } }
    }

    private static func failure(_ application: TableApplication, _ error: NSError, _ place: StorePlace)
        -> ScreenResponder.Slot
    {
        var details = ["Error \(error.code) (\(error.domain))"]
        if let remedy = error.localizedRecoverySuggestion { details.append(remedy) }
        if let reason = error.userInfo["reason"] as? String, !error.localizedDescription.contains(reason) {
            details.append(reason)
        }
        details.append(
            "The store is in \(place.text(for: application)), and was left as it is."
        )
        return .failed(
            application,
            title: "\(application.title) Cannot Open",
            text: error.localizedDescription,
            details: details
        )
    }
}
