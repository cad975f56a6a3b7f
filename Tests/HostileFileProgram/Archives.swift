// Keyed archives as binary property lists whose objects refer to themselves or to each other.
import Foundation

/// Hostile keyed archives.
enum Archives {
    /// An archive of arrays, given as the references of each; the first one is the root.
    private static func archive(_ arrays: [[Int]]) -> Data {
        // Objects of the list: texts, then $null, a boolean, the class, and a dictionary and an array for each array.
        var objects: [[UInt8]] = []
        func add(_ object: [UInt8]) -> Int {
            objects.append(object)
            return objects.count - 1
        }
        func text(_ text: String) -> Int { add([0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8)) }
        func dictionary(_ pairs: [(Int, Int)]) -> Int {
            add([0xD0 | UInt8(pairs.count)] + (pairs.map(\.0) + pairs.map(\.1)).flatMap { Lists.number($0, 2) })
        }
        func reference(_ number: Int) -> Int { add([0x81] + Lists.number(number, 2)) }
        let (objectsKey, topKey, root) = (text("$objects"), text("$top"), text("root"))
        let (classKey, nameKey, classesKey, members) = (
            text("$class"), text("$classname"), text("$classes"), text("NS.objects")
        )
        let (null, flag, arrayName) = (text("$null"), add([0x09]), text("NSArray"))
        let names = add(Lists.array([arrayName], size: 2))
        let type = dictionary([(nameKey, arrayName), (classesKey, names)])
        // In the archive: 0 null, 1 the class, 2 a boolean, then the arrays.
        let references = (0..<arrays.count + 3).map(reference)
        let archived = arrays.map { array in
            let list = add(Lists.array(array.map { references[$0] }, size: 2))
            return dictionary([(classKey, references[1]), (members, list)])
        }
        let all = add(Lists.array([null, type, flag] + archived, size: 2))
        let top = dictionary([(root, references[3])])
        _ = dictionary([(objectsKey, all), (topKey, top)])
        return Lists.binary(objects, referenceSize: 2)
    }

    /// An array that contains itself many times.
    static func inItself(members: Int) -> Data { archive([Array(repeating: 3, count: members)]) }

    /// Arrays of arrays, each of which has the next one several times.
    static func shared(fan: Int, depth: Int) -> Data {
        archive((0..<depth).map { Array(repeating: $0 == depth - 1 ? 2 : $0 + 4, count: fan) })
    }

    /// An array with one value very often.
    static func flat(_ count: Int) -> Data { archive([Array(repeating: 2, count: count)]) }
}
