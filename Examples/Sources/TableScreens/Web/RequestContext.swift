// The parsed request for a screen: the values that cross to the context's queue.
import CoreData
import Foundation

struct RequestContext: Sendable {
    let store: ApplicationStore
    let screen: any Screen
    /// The path components below the application.
    let path: [String]
    let parameters: [String: String]
    var query: [String: String]
    let reader: Reader
    /// The identifier of this browser, if it has a cookie.
    let browser: String?
    /// Whether the panel “Under the Hood” is open in this browser.
    var isHoodOpen = false
    /// Whether the page is for the frame beside a list.
    var isFramed = false

    /// Whether the address names an object, as screens below a list do.
    var namesObject: Bool { path.contains { ObjectReference($0) != nil } }

    /// The address without irrelevant query keys; browsers with equal addresses share a table.
    var address: String { address(with: []) }

    /// The address without one query key.
    func address(without key: String) -> String {
        let pairs = screen.queryKeys.compactMap { name in name == key ? nil : query[name].map { (name, $0) } }
        return Address(path: [store.application.name] + path, query: pairs).text
    }

    /// The same screen with the values of a form that its address can name, such as the game of a card.
    func with(_ fields: [String: String]) -> RequestContext {
        var copy = self
        for key in screen.queryKeys where query[key] == nil { copy.query[key] = fields[key] }
        return copy
    }

    /// The address with additional query items.
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

    /// The link of the back button: the screen's own, or else the home page.
    func back(_ page: Page) -> Link { page.back ?? Link("Applications", to: "/") }
}
