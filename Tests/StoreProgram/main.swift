// Writes a store by a plan until it is killed, or checks the store after such a run. Run by the tests.
//   StoreProgram write STORE SEED      continues the plan; prints the number of each step once it is saved
//   StoreProgram check STORE SEED N    N is the last acknowledged step: the store must contain it, or the next one
//   StoreProgram serve STORE COUNT     serves that many requests; prints the memory of the process at each tenth
//   StoreProgram allocations FOLDER work|migrate FIRST STRIDE COUNT once|forever
//                                    lets allocations of SQLite fail, one of them in each run
//   StoreProgram fetch STORE COUNT     saves that many notes, and fetches them together and in batches
//   StoreProgram add STORE NAME COUNT  saves that many notes of its own one by one, concurrently with other processes
import Foundation
import ManagedGraph

/// Prints a line unbuffered, so that lines printed before a kill are not lost.
func say(_ text: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

func fail(_ text: String) -> Never {
    say("failed: \(text)")
    exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { fail("StoreProgram write|check|serve|allocations|fetch|add STORE …") }
let url = URL(filePath: arguments[2])

/// Fails every `stride`th allocation from the first one on, a run each, at most `count` of them.
func failAllocations(_ isMigration: Bool, first: Int, stride: Int, count: Int, isForEver: Bool) throws {
    guard FailingAllocator.install() else { fail("SQLite was initialized before") }
    var run = AllocationRun(folder: url, isForEver: isForEver)
    var call = first
    for _ in 0..<count {
        do {
            guard try isMigration ? run.migrate(failingAt: call) : run.work(failingAt: call) else { break }
        } catch {
            fail("at allocation \(call): \(error)")
        }
        call += stride
    }
    let tally = run.tally
    say(
        "\(tally.runs) runs, \(tally.refused) refused, \(tally.unseen) without effect, codes \(tally.codes), to \(call)"
    )
}

do {
    if arguments[1] == "allocations" {
        guard arguments.count == 8, let first = Int(arguments[4]), let stride = Int(arguments[5]),
            let count = Int(arguments[6])
        else { fail("a number is missing") }
        try failAllocations(
            arguments[3] == "migrate",
            first: first,
            stride: stride,
            count: count,
            isForEver: arguments[7] == "forever"
        )
        exit(0)
    }
    let store = try NoteStore(url)
    switch arguments[1] {
    case "write":
        var plan = Plan(seed: UInt64(arguments[3]) ?? 0, at: try store.lastStep())
        // Steps without effect are not in the history. They are repeated, again without effect.
        say(plan.number)
        while true {
            let step = plan.next()
            do {
                try store.run(step, number: plan.number)
            } catch {
                // For example a full disk: the step must have left nothing.
                store.container.performAndWait { store.container.reset() }
                say("refused \(plan.number): \((error as NSError).code)")
                exit(3)
            }
            say(plan.number)
        }
    case "check":
        guard arguments.count == 5, let last = Int(arguments[4]) else { fail("the last step is missing") }
        let content = try store.content()
        var plan = Plan(seed: UInt64(arguments[3]) ?? 0, at: last)
        let isLast = content == plan.notes
        _ = plan.next()
        guard isLast || content == plan.notes else {
            let wrong = content.filter { plan.notes[$0.key] != $0.value }.keys.sorted()
            let missing = plan.notes.keys.filter { content[$0] == nil }.sorted()
            fail(
                "the store is neither at step \(last) nor at the next: \(wrong.count) differ, \(missing.count) are missing"
            )
        }
        let step = try store.lastStep()
        guard step <= last + 1 else { fail("the history is at step \(step), the last one acknowledged is \(last)") }
        let files = try store.files()
        guard files.present == files.needed else { fail("\(files.present) files for \(files.needed) large values") }
        try store.close()
        say(isLast ? "last" : "next")
    case "serve":
        let count = Int(arguments[3]) ?? 0
        var service = try Service(store)
        for tenth in 1...10 {
            for _ in 0..<count / 10 { try service.serve() }
            say("\(tenth) \(try Service.residentBytes())")
        }
    case "fetch":
        let count = Int(arguments[3]) ?? 0
        let text = String(repeating: "t", count: 200)
        let notes = (0..<count).map { ($0, PlannedNote(title: text, group: $0 % 7)) }
        try store.run(.batchInsert(Dictionary(uniqueKeysWithValues: notes)), number: 1)
        do {
            say("fetched \(try store.content().count)")
        } catch let error as NSError {
            say(
                "refused \(error.code): \(error.localizedFailureReason ?? "") \(error.localizedRecoverySuggestion ?? "")"
            )
        }
        say("in batches \(try store.count(batchSize: 500))")
    case "add":
        guard arguments.count == 5, let count = Int(arguments[4]) else { fail("the number of notes is missing") }
        let base = (Int(arguments[3]) ?? 0) * 1_000_000
        for number in 1...count {
            try store.run(
                .save(
                    inserted: [base + number: PlannedNote(title: arguments[3], group: number % 7)],
                    updated: [:],
                    deleted: []
                ),
                number: base + number
            )
        }
        say("added")
    default: fail("an unknown command: \(arguments[1])")
    }
} catch {
    fail("\(error)")
}
