// Tests sort descriptors: by key, selector, comparator and Swift key path, in both directions.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Sort descriptors")
struct SortDescriptorTests {
    private func order(_ values: [Any?], _ descriptor: NSSortDescriptor) -> [String] {
        values.map { ["k": $0 ?? NSNull()] }.sorted(using: [descriptor]).map { row in
            row["k"].map { $0 is NSNull ? "nil" : "\($0)" } ?? "nil"
        }
    }

    @Test("Plain order: nil first, numbers by value, texts by scalars; descending reverses it")
    func plain() {
        expectEqual(order([3, nil, 1, 2.5], NSSortDescriptor(key: "k", ascending: true)), ["nil", "1", "2.5", "3"])
        expectEqual(order([3, nil, 1], NSSortDescriptor(key: "k", ascending: false)), ["3", "1", "nil"])
        expectEqual(
            order(["b", "B", "é", "a", "Z"], NSSortDescriptor(key: "k", ascending: true)),
            ["B", "Z", "a", "b", "é"]
        )
    }

    @Test("Selectors choose the order of texts, named by literal, text or Selector")
    func selectors() {
        let insensitive = NSSortDescriptor(key: "k", ascending: true, selector: "caseInsensitiveCompare:")
        expectEqual(order(["b", "C", "A"], insensitive), ["A", "b", "C"])
        let name = "localizedStandardCompare:"
        let finder = NSSortDescriptor(key: "k", ascending: true, selector: name)
        expectEqual(order(["file 10", "File 2", "file 1"], finder), ["file 1", "File 2", "file 10"])
        let localized = NSSortDescriptor(key: "k", ascending: true, selector: Selector("localizedCompare:"))
        expectEqual(order(["z", "ä", "a"], localized), ["a", "ä", "z"])
        let both = NSSortDescriptor(
            key: "k",
            ascending: true,
            selector: NSSelectorFromString("localizedCaseInsensitiveCompare:")
        )
        expectEqual(order(["b", "Á", "C"], both), ["Á", "b", "C"])
        expectEqual(finder.sortSelector, name)
        expectEqual(insensitive.selector?.name, "caseInsensitiveCompare:")
        expectNil(NSSortDescriptor(key: "k", ascending: true, selector: nil).sortSelector)
    }

    @Test("Several descriptors break ties in turn and keep the order of equals")
    func several() {
        let rows = [
            ["a": 1, "b": 1, "i": 0], ["a": 0, "b": 2, "i": 1], ["a": 1, "b": 0, "i": 2], ["a": 1, "b": 1, "i": 3],
        ]
        let descriptors = [NSSortDescriptor(key: "a", ascending: false), NSSortDescriptor(key: "b", ascending: true)]
        expectEqual(rows.sorted(using: descriptors).map { $0["i"] }, [2, 0, 3, 1])
        let sorted = NSArray(array: rows.map { $0 as NSDictionary }).sortedArray(using: descriptors)
        #expect(sorted.count == 4 && EvaluatedValue(sorted.first).isEqual(to: EvaluatedValue(rows[2])))
        expectEqual(rows.sorted(using: []).map { $0["i"] }, [0, 1, 2, 3])
    }

    @Test("Key paths lead through objects; a missing one sorts as nil")
    func keyPaths() {
        let places = ["b", nil, "a"].map { name in Record(["place": name.map { Record(["name": $0]) }]) }
        let sorted = places.sorted(using: [NSSortDescriptor(key: "place.name", ascending: true)])
        #expect(sorted[0] === places[1] && sorted[1] === places[2] && sorted[2] === places[0])
        expectEqual([3, 1, 2].sorted(using: [NSSortDescriptor(key: nil, ascending: true)]), [1, 2, 3])
        expectEqual([3, 1, 2].sorted(using: [NSSortDescriptor(key: "self", ascending: false)]), [3, 2, 1])
    }

    @Test("Comparators and Swift key paths sort in memory")
    func comparators() {
        let byLength = NSSortDescriptor(key: "k", ascending: true) { a, b in
            let difference = "\(a)".count - "\(b)".count
            return difference < 0 ? .orderedAscending : difference > 0 ? .orderedDescending : .orderedSame
        }
        expectEqual(order(["ccc", nil, "a", "bb"], byLength), ["nil", "a", "bb", "ccc"])
        #expect(byLength.hasComparator)
        let named = [Named("b", 1), Named(nil, 2), Named("a", 3)]
        expectEqual(
            named.sorted(using: [NSSortDescriptor(keyPath: \Named.title, ascending: true)]).map(\.rank),
            [2, 3, 1]
        )
        expectEqual(
            named.sorted(using: [NSSortDescriptor(keyPath: \Named.rank, ascending: false)]).map(\.rank),
            [3, 2, 1]
        )
        expectEqual(
            ["ccc", "a"].sorted(using: [NSSortDescriptor(keyPath: \String.count, ascending: true)]),
            ["a", "ccc"]
        )
    }

    @Test("Descriptors expose their parts, compare values, reverse and are equal by value")
    func parts() {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: false, selector: "caseInsensitiveCompare:")
        let order = ValueOrder(descriptor)
        expectEqual(descriptor.key, "a.b")
        expectEqual(descriptor.sortKey, "a.b")
        #expect(!descriptor.ascending && !descriptor.isAscending)
        expectEqual(order.compare(.text("A"), .text("b")), .orderedDescending)
        expectEqual(order.compare(.null, .text("b")), .orderedDescending)
        expectEqual(order.compare(.text("x"), .text("X")), .orderedSame)
        let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
        expectEqual(reversed?.ascending, true)
        expectEqual(reversed?.sortSelector, "caseInsensitiveCompare:")
        expectEqual(descriptor, NSSortDescriptor(key: "a.b", ascending: false, selector: "caseInsensitiveCompare:"))
        #expect(descriptor != NSSortDescriptor(key: "a.b", ascending: false))
        expectEqual(descriptor.copy() as? NSSortDescriptor, descriptor)
        #expect(!NSSortDescriptor(key: "a", ascending: true).hasComparator)
    }

    @Test(
        "Many values sorted together have the order of their comparisons, in both directions",
        arguments: TextSort.allCases
    )
    func columns(order: TextSort) {
        let dates = [2.5, -1, 0].map { Date(timeIntervalSinceReferenceDate: $0) }
        let columns: [[Any?]] = [
            [3, nil, Int64.min, Int64.max, 0, 3], [0.5, nil, -0.0, 0.0, -Double.infinity, 3], dates + [nil],
            ["b", nil, "a10", "a2", "", "É", "e", "b", "日本"], [nil, nil], [],
            // Not of one kind, or of one that has no form of its own.
            [1, 0.5, Decimal(2), nil, true], [0.5, Double.nan, 1], ["a", 1, nil, dates[0]], [true, false, nil],
        ]
        for values in columns {
            for isAscending in [true, false] {
                let descriptor = NSSortDescriptor(key: "k", ascending: isAscending, selector: order.rawValue)
                let records = values.map { Record(["k": $0]) }
                let sorted = records.sorted(using: [descriptor])
                let compared = records.enumerated().sorted { a, b in
                    let order = descriptor.compare(a.element, to: b.element)
                    return order == .orderedSame ? a.offset < b.offset : order == .orderedAscending
                }
                expectEqual(sorted.map(ObjectIdentifier.init), compared.map { ObjectIdentifier($0.element) })
            }
        }
    }

    @Test("Orders are total: any two of many values compare consistently", arguments: TextSort.allCases)
    func totality(order: TextSort) {
        let values: [Any?] = [
            nil, 1, 1.5, -2, true, "a", "A", "ä", "", "a1", "a10", "a2", Date(timeIntervalSinceReferenceDate: 1),
            Data([1]), Data(), UUID(), [1],
        ]
        let all = values.map { EvaluatedValue($0) }
        for a in all {
            for b in all {
                expectEqual(a.sortOrder(against: b, order), b.sortOrder(against: a, order).reversed)
                for c in all where a.sortOrder(against: b, order) != .orderedDescending {
                    if b.sortOrder(against: c, order) != .orderedDescending {
                        #expect(a.sortOrder(against: c, order) != .orderedDescending)
                    }
                }
            }
        }
    }
}
