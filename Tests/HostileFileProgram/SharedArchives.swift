// Archives of predicates and expressions in which each part has the next one several times: few bytes are a tree that no
// memory can hold. Written byte by byte, as an archiver would walk over the tree.
import Foundation

/// Hostile archives of predicates.
enum SharedArchives {
    /// An entry of an archived object.
    private enum Entry {
        case number(Int)
        /// Another object of the archive.
        case object(Int)
        /// The objects of a list.
        case list([Int])
    }

    /// The objects of a keyed archive; the first one is its root.
    private struct Archived {
        let type: String
        let entries: [(String, Entry)]
    }

    /// Compounds, each of which has the next one twice.
    static func predicates(depth: Int) -> Data {
        chain(
            depth,
            of: "NSCompoundPredicate",
            ("NSCompoundPredicateType", .number(1)),
            list: "NSSubpredicates",
            end: Archived(type: "NSTruePredicate", entries: [])
        )
    }

    /// Lists of expressions, each of which has the next one twice.
    static func expressions(depth: Int) -> Data {
        chain(
            depth,
            of: "NSAggregateExpression",
            ("NSExpressionType", .number(14)),
            list: "NSCollection",
            end: Archived(type: "NSSelfExpression", entries: [("NSExpressionType", .number(1))])
        )
    }

    /// Objects of a type, each with a list that has the next one twice.
    private static func chain(
        _ depth: Int,
        of type: String,
        _ kind: (String, Entry),
        list key: String,
        end: Archived
    ) -> Data {
        let objects = (0..<depth).flatMap { level in
            let (list, next) = (2 * level + 1, 2 * level + 2)
            return [
                Archived(type: type, entries: [kind, (key, .object(list))]),
                Archived(type: "NSArray", entries: [("NS.objects", .list([next, next]))]),
            ]
        }
        return write(objects + [end])
    }

    /// A constant of arrays, each of which has the next one several times.
    static func constants(fan: Int, depth: Int) -> Data {
        let arrays = (0..<depth).map { level in
            let next = level == depth - 1 ? [] : Array(repeating: level + 2, count: fan)
            return Archived(type: "NSArray", entries: [("NS.objects", .list(next))])
        }
        let root = Archived(
            type: "NSConstantValueExpression",
            entries: [("NSExpressionType", .number(0)), ("NSConstantValue", .object(1))]
        )
        return write([root] + arrays)
    }

    private static func write(_ archived: [Archived]) -> Data {
        var objects: [[UInt8]] = []
        var texts: [String: Int] = [:]
        func add(_ object: [UInt8]) -> Int {
            objects.append(object)
            return objects.count - 1
        }
        func text(_ text: String) -> Int {
            if let existing = texts[text] { return existing }
            let place = add([0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8))
            texts[text] = place
            return place
        }
        func dictionary(_ pairs: [(Int, Int)]) -> Int {
            add([0xD0 | UInt8(pairs.count)] + (pairs.map(\.0) + pairs.map(\.1)).flatMap { Lists.number($0, 2) })
        }
        func reference(_ number: Int) -> Int { add([0x81] + Lists.number(number, 2)) }
        // In the archive: $null, the classes, and then the objects.
        let types = Array(Set(archived.map(\.type))).sorted()
        let classes = types.map { name in
            let names = add(Lists.array([text(name), text("NSObject")], size: 2))
            return dictionary([(text("$classname"), text(name)), (text("$classes"), names)])
        }
        let first = 1 + types.count
        let written = archived.map { object in
            let type = reference(1 + (types.firstIndex(of: object.type) ?? 0))
            let entries = object.entries.map { name, entry -> (Int, Int) in
                switch entry {
                case .number(let number): (text(name), add([0x10, UInt8(number)]))
                case .object(let number): (text(name), reference(first + number))
                case .list(let numbers):
                    (text(name), add(Lists.array(numbers.map { reference(first + $0) }, size: 2)))
                }
            }
            return dictionary([(text("$class"), type)] + entries)
        }
        let all = add(Lists.array([text("$null")] + classes + written, size: 2))
        let top = dictionary([(text("root"), reference(first))])
        _ = dictionary([
            (text("$archiver"), text("NSKeyedArchiver")), (text("$version"), add([0x12, 0x00, 0x01, 0x86, 0xA0])),
            (text("$objects"), all), (text("$top"), top),
        ])
        return Lists.binary(objects, referenceSize: 2)
    }
}
