// Tests key-value coding of Foundation's collections.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Key-value coding of collections")
struct CollectionCodingTests {
    static var rows: [Any] {
        [
            ["n": 1, "tags": ["x", "y"]] as [String: Any], Record(["n": 3]),
            ["n": 3, "owner": ["name": "Ann"]] as [String: Any],
        ]
    }

    @Test("An array returns a value for each object, NSNull for nil")
    func arrays() {
        let array = NSArray(array: Self.rows)
        expectEqual(array.value(forKey: "n") as? [Int], [1, 3, 3])
        let tags = array.value(forKey: "tags") as? [Any]
        #expect(tags?.count == 3 && tags?[0] as? [String] == ["x", "y"] && tags?[1] is NSNull)
        expectEqual(array.value(forKey: "@count") as? Int, 3)
        expectEqual(array.value(forKeyPath: "@sum.n") as? Int, 7)
        expectEqual(array.value(forKeyPath: "@distinctUnionOfObjects.n") as? [Int], [1, 3])
    }

    @Test("A set omits nil; an ordered set keeps the order")
    func sets() {
        // "The returned set will not contain any elements corresponding to instances of valueForKey: returning nil"
        let set = NSSet(array: [["n": 1], ["n": 3], ["m": 3]])
        expectEqual(set.value(forKey: "n") as? NSSet, NSSet(array: [1, 3]))
        expectEqual(set.value(forKeyPath: "@max.n") as? Int, 3)
        let ordered = NSOrderedSet(array: [["n": 3], ["n": 1], ["n": 3, "m": 1]])
        expectEqual((ordered.value(forKey: "n") as? NSOrderedSet)?.array as? [Int], [3, 1])
    }

    @Test("A dictionary returns values for keys and key paths, and sets values")
    func dictionaries() {
        let dictionary = NSMutableDictionary(dictionary: ["a": ["b": 2], "c": 1])
        expectEqual(dictionary.value(forKey: "c") as? Int, 1)
        expectNil(dictionary.value(forKey: "z"))
        expectEqual(dictionary.value(forKeyPath: "a.b") as? Int, 2)
        expectEqual(dictionary.value(forKeyPath: "@count") as? Int, 2)
        dictionary.setValue(5, forKey: "c")
        dictionary.setValue(nil, forKey: "a")
        expectEqual(dictionary.value(forKey: "c") as? Int, 5)
        expectEqual(dictionary.count, 1)
    }

    @Test("Values of dictionaries are the objects in them: NSNull, truth values and dictionaries")
    func objects() throws {
        let text = #"{"flag": true, "none": null, "owner": {"none": null, "flag": false, "place": {"name": "Ulm"}}}"#
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let dictionary = try #require(value as? NSDictionary)
        #expect(dictionary.value(forKeyPath: "none") is NSNull && dictionary.value(forKeyPath: "owner.none") is NSNull)
        expectNil(dictionary.value(forKeyPath: "missing"))
        expectNil(dictionary.value(forKeyPath: "owner.missing"))
        expectNil(dictionary.value(forKeyPath: "none.name"))
        expectEqual(dictionary.value(forKeyPath: "flag") as? Bool, true)
        expectEqual(dictionary.value(forKeyPath: "owner.flag") as? Bool, false)
        expectEqual(dictionary.value(forKeyPath: "owner.place") as? [String: String], ["name": "Ulm"])
        expectEqual(dictionary.value(forKeyPath: "owner.place.name") as? String, "Ulm")
        expectEqual(dictionary.value(forKeyPath: "owner.@count") as? Int, 3)
        let list = NSArray(array: [dictionary, dictionary])
        expectEqual(list.value(forKey: "flag") as? [Bool], [true, true])
        #expect((list.value(forKey: "none") as? [Any])?.first is NSNull)
    }

    @Test("A key that an object cannot have reads as nil")
    func unknown() {
        #expect((NSArray(array: [5]).value(forKey: "wings") as? [Any])?.first is NSNull)
    }
}
