// Rows with values that are hard for predicates: nil, accents, ß, empty texts, equal values, missing relationships.
import Foundation

extension SampleStore {
    /// A small store with fixed rows.
    static func known() throws -> SampleStore {
        let store = try SampleStore()
        let north = store.add("Region", ["name": "North"])
        let nowhere = store.add("Region")
        let kitchen = store.add("Home", ["name": "Kitchen", "storedIn": "Shelf", "level": 1, "region": north])
        let market = store.add("Shop", ["name": "Café", "aisle": "7", "level": 2, "region": nowhere])
        let empty = store.add("Shop", ["aisle": "Shelf"])
        let red = store.add("Tag", ["name": "red", "rank": 1])
        let blue = store.add("Tag", ["name": "Blue", "rank": 2])
        let bare = store.add("Tag")
        let first = store.add(
            "Task",
            [
                "text": "Straße", "note": "straSSE", "priority": 3, "effort": 7, "amount": 2.5,
                "cost": Decimal(3), "done": true, "dueDate": date(0), "code": uuid(1),
                "link": url("http://a.org/x"), "bytes": Data([1, 2]), "size": ["width": 2.0, "height": 3.0],
                "location": kitchen, "tags": [red, blue],
            ]
        )
        let second = store.add(
            "Task",
            [
                "text": "été", "note": "Été", "priority": 1, "effort": 2, "amount": -1.0, "cost": Decimal(2),
                "done": false, "dueDate": date(86_400), "code": uuid(2), "link": url("http://b.org/"),
                "location": market, "parent": first, "tags": [blue, bare],
            ]
        )
        store.add("Task", ["text": "", "priority": 3, "done": false, "location": empty, "parent": first])
        store.add("Task", ["parent": second, "amount": 0.0])
        store.add(
            "Task",
            ["text": "a*c?d", "note": "a*c?d", "priority": 0, "effort": 0, "dueDate": date(0), "tags": [red]]
        )
        for (place, title) in ["one", "two", "three"].enumerated() {
            store.add("Step", ["title": title, "weight": place * 10, "task": first])
        }
        store.add("Step", ["task": second])
        try store.write()
        return store
    }

    static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
}
