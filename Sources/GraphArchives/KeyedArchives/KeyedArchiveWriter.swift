// Builds a keyed archive object by object, with Apple's class names and keys; Foundation's archiver would need those
// classes. Used for model caches and binary stores. Independent of the archived types.
import Foundation

/// Writes keyed archives.
package struct KeyedArchiveWriter {
    private var objects: [ListValue] = [.text("$null")]
    private var classNumbers: [[String]: Int] = [:]
    private var plainNumbers: [EncodedValue: Int] = [:]

    /// Makes an empty archive.
    package init() {}

    /// The reference for nil.
    package static let null = ListValue.reference(0)

    /// Reserves an object to be filled in later, so that objects can refer to each other.
    package mutating func reserve() -> ListValue {
        objects.append(.null)
        return .reference(objects.count - 1)
    }

    /// Fills in a reserved object.
    ///
    /// - Parameters:
    ///   - reference: The result of `reserve()`.
    ///   - classes: The names of its class and superclasses, including `NSObject`.
    ///   - entries: Its entries: references, or numbers and flags themselves.
    package mutating func fill(_ reference: ListValue, classes: [String], entries: [String: ListValue]) {
        guard case .reference(let number) = reference, objects.indices.contains(number), number > 0 else { return }
        var entries = entries
        entries["$class"] = .reference(classNumber(classes))
        objects[number] = .dictionary(entries)
    }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - classes: The names of its class and superclasses, including `NSObject`.
    ///   - entries: Its entries: references, or numbers and flags themselves.
    /// - Returns: The reference to it.
    package mutating func object(_ classes: [String], _ entries: [String: ListValue]) -> ListValue {
        let reference = reserve()
        fill(reference, classes: classes, entries: entries)
        return reference
    }

    /// Adds a value that archives store without a class: a text, a number, a flag, bytes.
    ///
    /// Equal values share one object.
    package mutating func plain(_ value: ListValue) -> ListValue {
        let encoded = EncodedValue(value)
        if let number = plainNumbers[encoded] { return .reference(number) }
        objects.append(value)
        plainNumbers[encoded] = objects.count - 1
        return .reference(objects.count - 1)
    }

    /// Adds a text, or nil.
    package mutating func text(_ text: String?) -> ListValue {
        text.map { plain(.text($0)) } ?? Self.null
    }

    /// Adds an array or set of references, mutable or not.
    package mutating func collection(_ members: [ListValue], _ kind: Collection = .array) -> ListValue {
        object(kind.classes, ["NS.objects": .array(members)])
    }

    /// Adds a dictionary of references.
    package mutating func dictionary(
        _ pairs: [(key: ListValue, value: ListValue)],
        isMutable: Bool = false
    ) -> ListValue {
        object(
            isMutable ? ["NSMutableDictionary", "NSDictionary", "NSObject"] : ["NSDictionary", "NSObject"],
            ["NS.keys": .array(pairs.map(\.key)), "NS.objects": .array(pairs.map(\.value))]
        )
    }

    /// Copies an object of another archive with all objects that it refers to.
    ///
    /// O(n) in these objects.
    package mutating func graft(_ reference: ListValue, of archive: KeyedArchive) -> ListValue {
        var graft = Graft(archive: archive, copies: [0: Self.null])
        let copy = place(reference, &graft)
        // Copy objects from a stack instead of recursively, so that the depth is unlimited.
        while let number = graft.open.popLast() {
            guard case .reference(let copy)? = graft.copies[number] else { continue }
            objects[copy] = inserted(archive.objects[number], &graft)
        }
        return copy
    }

    /// The state of copying objects of another archive.
    private struct Graft {
        let archive: KeyedArchive
        /// The references in this archive by the objects' numbers in the other one.
        var copies: [Int: ListValue]
        /// The numbers of objects whose places are reserved.
        var open: [Int] = []
    }

    private mutating func place(_ reference: ListValue, _ graft: inout Graft) -> ListValue {
        guard case .reference(let number) = reference, graft.archive.objects.indices.contains(number) else {
            return Self.null
        }
        if let copy = graft.copies[number] { return copy }
        let copy: ListValue
        switch graft.archive.objects[number] {
        case .dictionary(let entries):
            if let classes = KeyedArchive.classes(in: entries) {
                copy = .reference(classNumber(classes))
            } else {
                copy = reserve()
                graft.open.append(number)
            }
        case .array:
            copy = reserve()
            graft.open.append(number)
        case let value: copy = plain(value)
        }
        graft.copies[number] = copy
        return copy
    }

    /// Translates the references in a value of another archive.
    private mutating func inserted(_ value: ListValue, _ graft: inout Graft) -> ListValue {
        switch value {
        case .reference: return place(value, &graft)
        case .array(let members):
            return .array(members.map { inserted($0, &graft) })
        case .dictionary(let entries):
            // Sort the keys, so that equal archives have equal copies.
            var result: [String: ListValue] = [:]
            for (key, member) in entries.sorted(by: { $0.key < $1.key }) {
                result[key] = inserted(member, &graft)
            }
            return .dictionary(result)
        default: return value
        }
    }

    private mutating func classNumber(_ classes: [String]) -> Int {
        if let number = classNumbers[classes] { return number }
        objects.append(
            .dictionary([
                "$classname": .text(classes.first ?? ""), "$classes": .array(classes.map { .text($0) }),
            ])
        )
        classNumbers[classes] = objects.count - 1
        return objects.count - 1
    }

    /// The finished archive.
    ///
    /// O(n) in its objects.
    ///
    /// - Parameter top: The top objects by key; the object of a plain archive has the key `root`.
    /// - Returns: A binary property list.
    package func data(top: [String: ListValue]) -> Data {
        BinaryPropertyListWriter.write(
            .dictionary([
                "$archiver": .text("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(top),
                "$objects": .array(objects),
            ])
        )
    }
}

extension KeyedArchiveWriter {
    /// Kinds of collections that store their members under `NS.objects`.
    package enum Collection {
        case array
        case mutableArray
        case set
        case mutableSet

        /// The names of its class and superclasses.
        var classes: [String] {
            switch self {
            case .array: ["NSArray", "NSObject"]
            case .mutableArray: ["NSMutableArray", "NSArray", "NSObject"]
            case .set: ["NSSet", "NSObject"]
            case .mutableSet: ["NSMutableSet", "NSSet", "NSObject"]
            }
        }
    }
}
