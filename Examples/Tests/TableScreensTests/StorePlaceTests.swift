import CoreData
import Foundation
import Testing

@testable import TableScreens

@Suite(
    "Places of stores that addresses name",
    .enabled(
        if: NSPersistentStoreCoordinator.registeredStoreTypes["PostgreSQL"] != nil,
        "the tests are built without libpq"
    )
)
struct StorePlaceTests {
    private let application = TableApplication(
        name: "Tasks",
        title: "Tasks",
        summary: "",
        symbol: "T",
        modelName: "Tasks",
        screens: []
    )

    /// The parameters of the address of the application's store.
    private func parameters(_ address: String) throws -> [String: String] {
        let place = try #require(try StorePlace(address: address))
        let url = try #require(try place.description(of: application).url)
        let items = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    @Test("Several servers become parameters, as in addresses of the command and the studio")
    func severalServers() throws {
        let values = try parameters("postgresql://ann:a%26b@h1:1,[::1]:2/db?schema=other&sslmode=require")
        #expect(
            values == [
                "host": "h1,::1", "port": "1,2", "user": "ann", "password": "a&b", "sslmode": "require",
                "schema": "tasks",
            ]
        )
    }

    @Test(
        "An address of one server gets the application's schema",
        arguments: [
            "postgresql://ann@h1:1/db", "postgres://[::1]:1/db", "postgresql://%2Frun%2Fpg/db", "postgresql:///db",
        ]
    )
    func oneServer(address: String) throws {
        let place = try #require(try StorePlace(address: address))
        let url = try place.description(of: application).url
        #expect(url?.absoluteString == "\(address)?schema=tasks")
    }

    @Test("The text for readers has no password, and an address that cannot be read is an error without it")
    func passwords() throws {
        let place = try #require(try StorePlace(address: "postgresql://ann:geheim@h1:1,h2:2/db"))
        let text = place.text(for: application)
        #expect(text == "the schema tasks of postgresql:///db?host=h1,h2&port=1,2&user=ann")
        let error = #expect(throws: NSError.self) { try StorePlace(address: "postgresql://u:geheim/@x@host/db") }
        #expect(error?.localizedRecoverySuggestion?.contains("%40 for @") == true)
        #expect(!"\(String(describing: error))".contains("geheim"))
    }

    @Test("Other texts are not addresses")
    func others() throws {
        for text in ["Data", "/tmp/Data", "mysql://h/db", ""] {
            let place = try StorePlace(address: text)
            #expect(place == nil, "\(text)")
        }
    }
}
