// The positions of objects before and after a difference. Used by FetchedResultsDifference+Merging.
import Foundation

/// Maps the positions of unmoved objects across one difference, in both directions.
struct DifferencePlaces {
    let sections: PositionMap
    private var leaving: [Int: [Int]] = [:]
    private var coming: [Int: [Int]] = [:]
    private var maps: [Int: PositionMap] = [:]
    private var mapsByNew: [Int: PositionMap] = [:]

    init(_ difference: FetchedResultsDifference) {
        sections = PositionMap(
            leaving: difference.deletedSections.map(\.index),
            coming: difference.insertedSections.map(\.index)
        )
        for item in difference.deletions { leaving[item.indexPath[0], default: []].append(item.indexPath[1]) }
        for move in difference.moves { leaving[move.from[0], default: []].append(move.from[1]) }
        for item in difference.insertions { coming[item.indexPath[0], default: []].append(item.indexPath[1]) }
        for move in difference.moves { coming[move.to[0], default: []].append(move.to[1]) }
        let deletedIndexes = Set(difference.deletedSections.map(\.index))
        let insertedIndexes = Set(difference.insertedSections.map(\.index))
        for section in leaving.keys where !deletedIndexes.contains(section) { add(section, sections.forward(section)) }
        for section in coming.keys where !insertedIndexes.contains(section) && mapsByNew[section] == nil {
            add(sections.backward(section), section)
        }
    }

    private mutating func add(_ old: Int, _ new: Int) {
        let map = PositionMap(leaving: leaving[old] ?? [], coming: coming[new] ?? [])
        maps[old] = map
        mapsByNew[new] = map
    }

    func forward(_ path: IndexPath) -> IndexPath {
        IndexPath(indexes: [sections.forward(path[0]), maps[path[0]]?.forward(path[1]) ?? path[1]])
    }

    func backward(_ path: IndexPath) -> IndexPath {
        IndexPath(indexes: [sections.backward(path[0]), mapsByNew[path[0]]?.backward(path[1]) ?? path[1]])
    }
}
