// Places of stores as users name them: addresses of several servers, and addresses that cannot be read.
import ExpectationSupport
import Foundation
import ManagedGraphTools
import Testing

struct StoreLocationTests {
    @Test(
        "An address of several servers has them as parameters",
        arguments: [
            ("postgresql://h1:1,h2:2/db", "postgresql:///db?host=h1,h2&port=1,2"),
            ("postgres://h1,h2:2/db?schema=shop", "postgres:///db?host=h1,h2&port=,2&schema=shop"),
            ("postgresql://h1,h2", "postgresql:///?host=h1,h2"),
            (
                "postgresql://ann:a&b=%40,@h1:1,h2:2/db?target_session_attrs=any",
                "postgresql:///db?host=h1,h2&port=1,2&user=ann&password=a%26b%3D%40,&target_session_attrs=any"
            ),
            ("postgresql://ann@h1:1,h2:2/", "postgresql:///?host=h1,h2&port=1,2&user=ann"),
        ]
    )
    func severalServers(text: String, expected: String) throws {
        try expectEqual(StoreLocation.url(text).absoluteString, expected)
    }

    @Test(
        "An address of one server stays as it is",
        arguments: [
            "postgresql://ann:a,b@h1:1/db?readers=h2:1,h3:1", "postgresql:///db?host=h1,h2&port=1,2",
            "postgresql://h1/db", "postgresql://[::1]:1/db",
        ]
    )
    func oneServer(text: String) throws {
        try expectEqual(StoreLocation.url(text).absoluteString, text)
    }

    @Test("Addresses of the protocol's version 6 keep their colons")
    func longAddresses() throws {
        let url = try StoreLocation.url("postgresql://[::1]:1,[fe80::2]/db")
        let items = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
        expectEqual(items.first { $0.name == "host" }?.value, "::1,fe80::2")
        expectEqual(items.first { $0.name == "port" }?.value, "1,")
    }

    @Test(
        "A password whose marks are not encoded does not become a server",
        arguments: ["postgresql://u:gehe,im/@x@host/db", "postgresql://u:geheim/@x@host/db", "postgresql://h:x,i/db"]
    )
    func unreadable(text: String) throws {
        let error = #expect(throws: NSError.self) { try StoreLocation.url(text) }
        expectEqual(error?.localizedRecoverySuggestion?.contains("%40 for @"), true)
        #expect(!"\(String(describing: error))".contains("geheim"))
    }

    @Test("The text to show has no password, however the servers are named")
    func shown() throws {
        let url = try StoreLocation.url("postgresql://ann:geheim@h1:1,h2:2/db")
        expectEqual(StoreLocation.shown(url), "postgresql:///db?host=h1,h2&port=1,2&user=ann")
    }

    @Test(
        "The short name of an address has the database, or the service that names it",
        arguments: [
            ("postgresql://h1:1,h2:2/db?schema=s", "db.s"), ("postgresql:///?service=shop&schema=s", "shop.s"),
            ("postgresql:///?service=shop", "shop"), ("postgresql://h/db?service=shop", "db"),
            ("postgresql://h?schema=s", "s"),
        ]
    )
    func shortName(text: String, expected: String) throws {
        try expectEqual(StoreLocation.name(StoreLocation.url(text)), expected)
    }
}
