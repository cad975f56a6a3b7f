// Fails each call on the disk once, one after the other, in a run of saves and batches: an error is thrown, nothing is
// lost, and the step succeeds as soon as the disk works. DISK_STRIDE sets the number of calls skipped between two runs
// (1 fails every call).
import ExpectationSupport
import Foundation
import SafetySupport
import Testing

@testable import StoreProgram

@Suite(.serialized) struct DiskErrorTests {
    private static let stride = ProcessInfo.processInfo.environment["DISK_STRIDE"].flatMap(Int.init) ?? 509
    private static let steps = 30
    private let folder: URL
    private let seed: UInt64 = 11

    init() throws {
        // In memory if available, so that thousands of saves do not wait for a disk.
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appending(path: "disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private final class Tally {
        var runs = 0
        var refusedOpenings = 0
        var refusedSteps = 0
        var unseen = 0
        var codes: [Int: Int] = [:]
    }

    @Test(arguments: Fault.Kind.allCases)
    func anErrorOfTheDiskLosesNothing(_ kind: Fault.Kind) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tally = Tally()
        var call = 1
        while try run(Fault(kind: kind, call: call), tally) { call += Self.stride }
        print(
            "\(kind): \(tally.runs) runs, \(tally.refusedOpenings) openings and \(tally.refusedSteps) steps refused, "
                + "\(tally.unseen) faults without effect, codes \(tally.codes)"
        )
        #expect(tally.runs > 3)
        #expect(tally.refusedOpenings > 0)
        #expect(tally.refusedSteps > 0)
    }

    /// Runs the steps with one fault; returns false if the fault comes after the last call.
    private func run(_ fault: Fault, _ tally: Tally) throws -> Bool {
        let place = folder.appending(path: "\(fault.kind)-\(fault.call)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer {
            FaultyDisk.forget(place.path)
            try? FileManager.default.removeItem(at: place)
        }
        let url = place.appending(path: "Notes.sqlite")
        FaultyDisk.set(fault, in: place.path)
        var isHit = false
        var store: NoteStore
        do {
            store = try NoteStore(url)
        } catch {
            isHit = true
            tally.refusedOpenings += 1
            note(error, tally)
            FaultyDisk.set(nil, in: place.path)
            store = try NoteStore(url)
        }
        var plan = Plan(seed: seed)
        for _ in 0..<Self.steps {
            let step = plan.next()
            do {
                try store.run(step, number: plan.number)
            } catch {
                isHit = true
                tally.refusedSteps += 1
                note(error, tally)
                FaultyDisk.set(nil, in: place.path)
                store.container.performAndWait { store.container.reset() }
                // The failed step has left nothing, else repeating it would duplicate its keys.
                try store.run(step, number: plan.number)
            }
        }
        // Some faults have no effect: a log that cannot be emptied now is emptied later.
        if FaultyDisk.calls(in: place.path).failed > 0 {
            isHit = true
            tally.unseen += 1
        }
        FaultyDisk.set(nil, in: place.path)
        try expectEqual(store.content(), plan.notes, "\(fault)")
        try store.close()
        let again = try NoteStore(url)
        try expectEqual(again.content(), plan.notes, "opened again after \(fault)")
        try #expect(again.lastStep() <= plan.number)
        let files = try again.files()
        expectEqual(files.present, files.needed, "\(fault)")
        try again.close()
        WriterRun.check(url, "\(fault)")
        tally.runs += 1
        return isHit
    }

    /// Checks that an error is Cocoa's and has a recovery suggestion.
    private func note(_ error: any Error, _ tally: Tally) {
        let error = error as NSError
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.localizedRecoverySuggestion?.isEmpty, false, "\(error)")
        // A failing disk does not mean that the file is corrupt.
        #expect(error.code != CocoaError.Code.fileReadCorruptFile.rawValue, "\(error)")
        tally.codes[error.code, default: 0] += 1
    }
}
