// Exports and imports stores of random values and relationships: nothing is lost or reordered.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

@Suite("Generated stores, exported and imported")
struct GeneratedStoreTests {
    private static let words = [
        "", "a", " b ", "\"", "\\", "é", "e\u{301}", "日本", "👩‍👩‍👧", "\n", "\r\n", "\0", ",", ";", "NULL", "null", "'",
    ]

    private static func text(_ numbers: inout SeededNumbers) -> String {
        (0..<Int.random(in: 0...4, using: &numbers)).map { _ in words.randomElement(using: &numbers) ?? "" }.joined()
    }

    /// A random finite number.
    private static func real(_ numbers: inout SeededNumbers) -> Double {
        let any = Double(bitPattern: numbers.next())
        return any.isFinite ? any : 1
    }

    private static func line(_ number: Int, of count: Int, _ numbers: inout SeededNumbers) throws -> String {
        let isMachine = number % 3 == 0
        var values: [String: Any] = [
            "$id": "Thing/p\(number)", "$entity": isMachine ? "Machine" : "Thing",
            "name": "n\(number)" + text(&numbers),
        ]
        func maybe(_ key: String, _ value: Any) { if Bool.random(using: &numbers) { values[key] = value } }
        maybe("text", text(&numbers))
        maybe("small", Int16.random(in: .min ... .max, using: &numbers))
        maybe("middle", Int32.random(in: .min...1_000_000, using: &numbers))
        maybe("large", Int64.random(in: .min ... .max, using: &numbers))
        maybe("real", real(&numbers))
        maybe(
            "price",
            "\(Int64.random(in: -99_999_999_999...99_999_999_999, using: &numbers)).\(Int.random(in: 0...999, using: &numbers))"
        )
        maybe("flag", Bool.random(using: &numbers))
        maybe("made", Double.random(in: -1e11...3e11, using: &numbers))
        maybe("uid", UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", number))")?.uuidString ?? "")
        maybe("link", "https://example.org/\(number)")
        maybe(
            "data",
            Data((0..<Int.random(in: 0...40, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) })
                .base64EncodedString()
        )
        maybe("photo", Data(count: number % 20 == 0 ? 150_000 : number).base64EncodedString())
        maybe("place.street", text(&numbers))
        maybe("box", "Box/p\(Int.random(in: 1...5, using: &numbers))")
        if isMachine { values["maker"] = "Box/p\(Int.random(in: 1...5, using: &numbers))" }
        if number % 4 == 1, number + 1 <= count { values["twin"] = "Thing/p\(number + 1)" }
        maybe("tags", (1...7).shuffled(using: &numbers).prefix(3).map { "Tag/p\($0)" })
        maybe("friends", (0..<3).map { _ in "Thing/p\(Int.random(in: 1...count, using: &numbers))" })
        return String(decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self)
    }

    @Test(
        "Generated values survive an import and export, and a second round trip gives the same",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func roundTrip(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        let count = 120
        var lines = try (1...count).map { try Self.line($0, of: count, &numbers) }
        lines += (1...5).map { "{\"$id\":\"Box/p\($0)\",\"$entity\":\"Box\"}" }
        lines += (1...7).map { "{\"$id\":\"Tag/p\($0)\",\"$entity\":\"Tag\"}" }
        lines.shuffle(using: &numbers)
        let folder = try ExchangeFolder()
        let store = try await folder.store("first.sqlite", lines.joined(separator: "\n"))
        try await folder.check(store)
        let form = ["a.jsonl", "dump.sql"][Int(seed % 2)]
        #expect(try await folder.run("export", store, "-o", folder.path("a.jsonl")).status == 0)
        #expect(try await folder.run("export", store, "-o", folder.path(form)).status == 0)
        var arguments = ["import", folder.path("second.sqlite"), folder.path(form)]
        if form == "a.jsonl" { arguments += ["--model", store] }
        let result = try await Command.run(arguments, of: "store")
        expectEqual(result.status, 0, "\(result.errors)")
        _ = try await folder.run("export", folder.path("second.sqlite"), "-o", folder.path("b.jsonl"))
        try expectEqual(folder.text("a.jsonl"), folder.text("b.jsonl"))
        try await folder.check(folder.path("second.sqlite"))
        // The export contains the imported lines.
        let out = try folder.text("a.jsonl").split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let byName = Dictionary(out.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
        for line in lines {
            let imported = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let name = imported["name"] as? String else { continue }
            let exported = try #require(byName[name], "\(name)")
            for key in [
                "text", "large", "small", "flag", "uid", "link", "data", "photo", "place.street", "tags", "box",
            ] {
                guard let value = imported[key] else { continue }
                expectEqual(
                    (value as? NSObject)?.isEqual(exported[key]),
                    true,
                    "\(name).\(key): \(value), \(exported[key] ?? "nil")"
                )
            }
            if let real = imported["real"] as? Double { expectEqual(exported["real"] as? Double, real) }
        }
    }
}
