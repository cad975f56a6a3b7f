// Merges two differences for a slow consumer, using positions alone, without the contents they apply to.
import Foundation

extension FetchedResultsDifference {
    /// This difference and the next as one.
    ///
    /// O(k log k) for k changes.
    func followed(by next: FetchedResultsDifference) -> FetchedResultsDifference {
        let first = DifferencePlaces(self)
        let second = DifferencePlaces(next)
        var result = FetchedResultsDifference()
        mergeSections(next, first.sections, second.sections, into: &result)

        var journeys: [NSManagedObjectID: Journey] = [:]
        for item in deletions { journeys[item.objectID] = Journey(from: item.indexPath, to: nil, isMove: true) }
        for item in insertions { journeys[item.objectID] = Journey(from: nil, to: item.indexPath, isMove: true) }
        for move in moves { journeys[move.objectID] = Journey(from: move.from, to: move.to, isMove: true) }
        for move in updates { journeys[move.objectID] = Journey(from: move.from, to: move.to, isMove: false) }
        // Objects that the second difference does not mention only shift their positions.
        var isCarried = Set(journeys.keys)
        func goOn(_ id: NSManagedObjectID, from: IndexPath?, to: IndexPath?, isMove: Bool) {
            isCarried.remove(id)
            if var journey = journeys[id] {
                journey.to = to
                journey.isMove = journey.isMove || isMove
                journeys[id] = journey
            } else {
                journeys[id] = Journey(from: from.map(first.backward), to: to, isMove: isMove)
            }
        }
        for item in next.deletions { goOn(item.objectID, from: item.indexPath, to: nil, isMove: true) }
        for item in next.insertions { goOn(item.objectID, from: nil, to: item.indexPath, isMove: true) }
        for move in next.moves { goOn(move.objectID, from: move.from, to: move.to, isMove: true) }
        for move in next.updates { goOn(move.objectID, from: move.from, to: move.to, isMove: false) }
        for id in isCarried {
            guard let to = journeys[id]?.to else { continue }
            journeys[id]?.to = second.forward(to)
        }

        for (id, journey) in journeys {
            switch (journey.from, journey.to) {
            case (nil, nil): break
            case (nil, let to?): result.insertions.append(Item(objectID: id, indexPath: to))
            case (let from?, nil): result.deletions.append(Item(objectID: id, indexPath: from))
            case (let from?, let to?):
                let move = Move(objectID: id, from: from, to: to)
                if journey.isMove { result.moves.append(move) } else { result.updates.append(move) }
            }
        }
        result.deletions.sort { $0.indexPath < $1.indexPath }
        result.insertions.sort { $0.indexPath < $1.indexPath }
        result.moves.sort { $0.from < $1.from }
        result.updates.sort { $0.from < $1.from }
        return result
    }

    private func mergeSections(
        _ next: FetchedResultsDifference,
        _ first: PositionMap,
        _ second: PositionMap,
        into result: inout FetchedResultsDifference
    ) {
        let deletedIndexes = Set(next.deletedSections.map(\.index))
        let insertedIndexes = Set(insertedSections.map(\.index))
        result.deletedSections = deletedSections
        for section in next.deletedSections where !insertedIndexes.contains(section.index) {
            result.deletedSections.append(Section(name: section.name, index: first.backward(section.index)))
        }
        result.insertedSections = next.insertedSections
        for section in insertedSections where !deletedIndexes.contains(section.index) {
            result.insertedSections.append(Section(name: section.name, index: second.forward(section.index)))
        }
        result.deletedSections.sort { $0.index < $1.index }
        result.insertedSections.sort { $0.index < $1.index }
    }

    /// The path of one object through both differences.
    private struct Journey {
        var from: IndexPath?
        var to: IndexPath?
        var isMove: Bool
    }
}
