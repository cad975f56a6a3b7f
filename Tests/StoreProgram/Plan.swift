// The steps of a run, as values: a seed determines them, so that the writer and the checker need no communication.
import Foundation
import TestSupport

/// The expected notes, and the steps that create them.
struct Plan {
    static let tags = 5
    private static let most = 400
    let seed: UInt64
    private(set) var number = 0
    private(set) var notes: [Int: PlannedNote] = [:]

    init(seed: UInt64) { self.seed = seed }

    /// Skips to a step.
    init(seed: UInt64, at number: Int) {
        self.init(seed: seed)
        while self.number < number { _ = next() }
    }

    /// Returns the next step; the plan's notes then include it.
    mutating func next() -> Step {
        number += 1
        var random = SeededNumbers(seed: seed &* 1_000_003 &+ UInt64(number))
        let step = notes.count > Self.most ? shrink() : step(&random)
        apply(step)
        return step
    }

    private func step(_ random: inout SeededNumbers) -> Step {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .batchInsert(newNotes(Int.random(in: 20...120, using: &random), &random, isBatch: true))
        case 1: return .batchUpdate(group: Int.random(in: 0..<7, using: &random), score: number)
        case 2: return .batchDelete(group: Int.random(in: 0..<7, using: &random))
        case 3...5:
            return .save(inserted: newNotes(Int.random(in: 1...20, using: &random), &random), updated: [:], deleted: [])
        default:
            let chosen = notes.keys.sorted().shuffled(using: &random).prefix(12)
            let deleted = Array(chosen.prefix(Int.random(in: 0...4, using: &random)))
            let updated = Dictionary(
                uniqueKeysWithValues: chosen.dropFirst(deleted.count).map { ($0, changed(notes[$0], &random)) }
            )
            return .save(inserted: newNotes(3, &random), updated: updated, deleted: deleted)
        }
    }

    private func shrink() -> Step {
        let most = Dictionary(grouping: notes.values, by: \.group).max {
            ($0.value.count, $0.key) < ($1.value.count, $1.key)
        }
        return .batchDelete(group: most?.key ?? 0)
    }

    private func newNotes(_ count: Int, _ random: inout SeededNumbers, isBatch: Bool = false) -> [Int: PlannedNote] {
        var result: [Int: PlannedNote] = [:]
        for place in 0..<count {
            var note = PlannedNote(title: "", group: Int.random(in: 0..<7, using: &random))
            note = changed(note, &random)
            if isBatch { note.tags = [] }
            result[number * 1_000 + place] = note
        }
        return result
    }

    private func changed(_ note: PlannedNote?, _ random: inout SeededNumbers) -> PlannedNote {
        var note = note ?? PlannedNote(title: "", group: 0)
        note.title = String(repeating: "t\(number) ", count: Int.random(in: 1...60, using: &random))
        note.tags = Set((0..<Self.tags).filter { _ in Bool.random(using: &random) })
        switch Int.random(in: 0..<4, using: &random) {
        case 0: note.picture = nil
        case 1:
            note.picture = .init(
                size: Int.random(in: 1...2_000, using: &random),
                byte: .random(in: 0...255, using: &random)
            )
        case 2:
            // Large enough for an external file.
            note.picture = .init(
                size: Int.random(in: 120_000...300_000, using: &random),
                byte: .random(in: 0...255, using: &random)
            )
        default: break
        }
        return note
    }

    private mutating func apply(_ step: Step) {
        switch step {
        case .save(let inserted, let updated, let deleted):
            notes.merge(inserted) { $1 }
            notes.merge(updated) { $1 }
            for id in deleted { notes[id] = nil }
        case .batchInsert(let inserted): notes.merge(inserted) { $1 }
        case .batchUpdate(let group, let score):
            for (id, note) in notes where note.group == group { notes[id]?.score = score }
        case .batchDelete(let group): notes = notes.filter { $0.value.group != group }
        }
    }
}
