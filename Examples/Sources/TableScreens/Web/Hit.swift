// A request for a screen, taken apart: the values that cross to the context's queue.
import CoreData
import Foundation

struct Hit: Sendable {
    let store: ApplicationStore
    let screen: any Screen
    /// The components below the application.
    let path: [String]
    let parameters: [String: String]
    let query: [String: String]
    let reader: Reader
    /// Tells this browser from others, where it has been given a name.
    let browser: String?

    /// The address with only what matters: browsers that have it in common share a table.
    var address: String { address(with: []) }

    /// The same address without a key.
    func address(without key: String) -> String {
        let pairs = screen.queryKeys.compactMap { name in name == key ? nil : query[name].map { (name, $0) } }
        return Address(path: [store.application.name] + path, query: pairs).text
    }

    /// The same address with more in its query.
    func address(with more: [(String, String)]) -> String {
        let pairs = screen.queryKeys.compactMap { key in query[key].map { (key, $0) } }
        return Address(path: [store.application.name] + path, query: pairs + more).text
    }

    func place(_ turn: ApplicationStore.Turn) -> Place {
        Place(
            context: turn.context,
            query: query.filter { screen.queryKeys.contains($0.key) },
            locale: reader.locale,
            timeZone: reader.timeZone,
            applicationName: store.application.name,
            screenPath: path.joined(separator: "/"),
            parameters: parameters,
            storeUUID: turn.storeUUID
        )
    }

    /// Where back leads: what the screen says, or to the applications.
    func back(_ page: Page) -> Link { page.back ?? Link("Applications", to: "/") }
}
