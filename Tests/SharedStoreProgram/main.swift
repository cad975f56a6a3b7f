// One of several processes that write a store concurrently. Run by the tests, which may kill it.
//   SharedStoreProgram write ADDRESS WRITER FIRST SEED             runs steps for ever; prints "saved N" after each
//   SharedStoreProgram count ADDRESS POLICY COUNTERS COUNT SEED    saves that many increments of random counters
//   SharedStoreProgram record ADDRESS SEED COUNT REGISTERS MODE THREADS
//                                                                  prints random transactions on registers, that many of
//                                                                  each thread; the threads use one coordinator
// Errors of saves are printed as "error CODE TEXT", and the step is retried, as a server would do.
import Foundation
import ManagedGraph
import SharedStoreSupport

/// Prints a line unbuffered, so that lines printed before a kill are not lost.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func fail(_ text: String) -> Never {
    say("failed: \(text)")
    exit(1)
}

/// Reports an error of the framework; one without cause or remedy is a failure of the test.
func report(_ error: any Error) {
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain, error.localizedRecoverySuggestion?.isEmpty == false,
        !error.localizedDescription.isEmpty
    else { fail("an error without code or remedy: \(error)") }
    let text = "\(error.localizedDescription) \(error.localizedRecoverySuggestion ?? "")"
    say("error \(error.code) \(text.replacingOccurrences(of: "\n", with: " "))")
}

/// Whether another process has changed the same objects.
func isConflict(_ error: any Error) -> Bool {
    [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains((error as NSError).code)
}

func write(_ store: SharedStore, writer: Int, first: Int, seed: UInt64) throws {
    var steps = SharedWriter(store, writer: writer, seed: seed)
    var number = first
    say("open")
    while true {
        do {
            try steps.run(number)
        } catch  where isConflict(error) {
            continue
        } catch {
            report(error)
            // Only this code leaves open whether the step is in the database.
            var isDecided = (error as NSError).code != NSPersistentStoreSaveError
            while true {
                Thread.sleep(forTimeInterval: 0.02)
                do {
                    if isDecided { break }
                    if try steps.isDone(number) { number += 1 }
                    isDecided = true
                } catch {
                    report(error)
                }
            }
            continue
        }
        say("saved \(number)")
        number += 1
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 6 else { fail("SharedStoreProgram write|count|record ADDRESS …") }
do {
    let store = try SharedStore(arguments[2])
    let numbers = arguments.map { Int($0) ?? 0 }
    switch arguments[1] {
    case "write": try write(store, writer: numbers[3], first: numbers[4], seed: UInt64(numbers[5]))
    case "count":
        guard arguments.count == 7, let policy = CounterPolicy(rawValue: arguments[3]) else { fail("no such policy") }
        var counting = SharedCounting(store, policy: policy, counters: numbers[4], seed: UInt64(numbers[6]))
        try counting.run(numbers[5])
        say(counting.result)
    case "record":
        guard arguments.count == 8, let mode = RecordedMode(rawValue: arguments[6]) else { fail("no such mode") }
        let lines = try RecorderTeam.record(
            store,
            threads: numbers[7],
            seed: UInt64(numbers[3]),
            count: numbers[4],
            registers: numbers[5],
            mode: mode
        )
        for line in lines { say(line) }
        say("done")
    default: fail("an unknown command: \(arguments[1])")
    }
} catch {
    fail("\(error)")
}
