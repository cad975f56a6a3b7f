// Each call on the disk fails once, one after the other, in a run of saves and batches: an error comes, nothing is lost,
// and the step works as soon as the disk does. DISK_STRIDE sets how many calls are passed over between two runs (each
// call fails in one where it is 1).
import Foundation
import SafetySupport
import Testing

@testable import StoreProgram

@Suite(.serialized) struct DiskErrorTests {
    private static let stride = ProcessInfo.processInfo.environment["DISK_STRIDE"].flatMap(Int.init) ?? 257
    private static let steps = 30
    private let folder: URL
    private let seed: UInt64 = 11

    init() throws {
        // In memory where that can be had: thousands of saves wait for no disk then.
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

    /// One run with one fault; false once the fault comes after the last call.
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
                // The step has left nothing, and can be done again: its keys would be there twice.
                try store.run(step, number: plan.number)
            }
        }
        // Some are without effect: a log that cannot be emptied now is emptied later.
        if FaultyDisk.calls(in: place.path).failed > 0 {
            isHit = true
            tally.unseen += 1
        }
        FaultyDisk.set(nil, in: place.path)
        try #expect(store.content() == plan.notes, "\(fault)")
        try store.close()
        let again = try NoteStore(url)
        try #expect(again.content() == plan.notes, "opened again after \(fault)")
        try #expect(again.lastStep() <= plan.number)
        let files = try again.files()
        #expect(files.present == files.needed, "\(fault)")
        try again.close()
        WriterRun.check(url, "\(fault)")
        tally.runs += 1
        return isHit
    }

    /// Errors are Cocoa's, and say what to do.
    private func note(_ error: any Error, _ tally: Tally) {
        let error = error as NSError
        #expect(error.domain == NSCocoaErrorDomain, "\(error)")
        #expect(error.localizedRecoverySuggestion?.isEmpty == false, "\(error)")
        // A disk that fails says nothing of the file.
        #expect(error.code != CocoaError.Code.fileReadCorruptFile.rawValue, "\(error)")
        tally.codes[error.code, default: 0] += 1
    }
}
