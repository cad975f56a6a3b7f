// Tests the conversion of #Predicate with the predicate language alone, for any class that names its key paths.
import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

struct SwiftPredicateConversionTests {
    private func format(_ predicate: Predicate<Parcel>) throws -> String {
        PredicatePrinter.print(try PredicateConversion.convert(predicate))
    }

    @Test("A Swift predicate becomes the tree of the equivalent format")
    func trees() throws {
        let limit = 2.5
        let names: [String] = ["Ann", "Bo"]
        let pairs: [(Predicate<Parcel>, String)] = [
            (#Predicate { $0.label == "a" && $0.weight > limit }, "label == 'a' AND weight > 2.5"),
            (#Predicate { $0.sender == nil || !($0.weight == 1.5) }, "sender == nil OR (weight != 1.5)"),
            (#Predicate { $0.sender != "Ann" }, "sender != 'Ann'"),
            (#Predicate { ($0.sender ?? "Ann") == "Ann" }, "sender == 'Ann' OR sender == nil"),
            (#Predicate { ($0.sender ?? "Bo") == "Ann" }, "sender == 'Ann'"),
            (#Predicate { ($0.sender ?? "Bo") != "Bo" }, "sender != nil AND sender != 'Bo'"),
            (#Predicate { names.contains($0.label) }, "label IN {'Ann', 'Bo'}"),
            (#Predicate { $0.sender?.contains("n") ?? false }, "sender CONTAINS 'n'"),
            (#Predicate { $0.sender?.starts(with: "A") == true }, "sender BEGINSWITH 'A'"),
            (#Predicate { (1.0...2.0).contains($0.weight) }, "weight BETWEEN {1, 2}"),
            (#Predicate { $0.label.localizedStandardContains("é") }, "label CONTAINS[cd] 'é'"),
            (#Predicate { _ in true }, "TRUEPREDICATE"),
            (#Predicate { (1.0..<2.0).contains($0.weight) }, "weight >= 1 AND weight < 2"),
        ]
        for (predicate, expected) in pairs {
            let wanted = try PredicateParser.parse(format: expected, arguments: [])
            let converted = try PredicateConversion.convert(predicate)
            expectEqual(converted, wanted, "\(PredicatePrinter.print(converted)) instead of \(expected)")
        }
    }

    @Test("The converted predicate is printed as a valid format with the same meaning")
    func printing() throws {
        let parcels = [
            Parcel("a", weight: 1), Parcel("b", weight: 3, sender: "Ann"), Parcel("Ä", weight: 2, sender: "Bo"),
        ]
        let predicates: [Predicate<Parcel>] = [
            #Predicate { $0.weight * 2 > 3 && $0.sender?.count == 3 },
            #Predicate { $0.sender == nil ? $0.weight < 2 : $0.label.localizedStandardContains("a") },
            #Predicate { ($0.sender ?? $0.label) > "B" },
        ]
        for predicate in predicates {
            let text = try format(predicate)
            let again = try NSPredicate(validating: text)
            for parcel in parcels {
                try expectEqual(
                    again.evaluate(with: parcel),
                    (try predicate.evaluate(parcel)),
                    "\(text): \(parcel.label)"
                )
            }
        }
    }

    @Test("Text comparisons that Foundation lacks off Apple platforms are evaluated as in the predicate language")
    func texts() throws {
        let same = ComparisonResult.orderedSame
        let parcel = Parcel("ÉCLAIR", weight: 1)
        #expect(try #Predicate<Parcel> { $0.label.caseInsensitiveCompare("éclair") == same }.evaluate(parcel))
        #expect(try #Predicate<Parcel> { $0.label.localizedStandardContains("ecl") }.evaluate(parcel))
        #expect(try !#Predicate<Parcel> { $0.label.localizedCompare("éclair") == same }.evaluate(parcel))
    }
}
