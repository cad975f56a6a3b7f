// Writes a store by a plan until it is killed, or checks the store after such a run. Run by the tests.
//   StoreProgram write STORE SEED      continues the plan; prints the number of each step once it is saved
//   StoreProgram check STORE SEED N    N is the last acknowledged step: the store must contain it, or the next one
//   StoreProgram serve STORE COUNT     serves that many requests; prints the memory of the process at each tenth
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
guard arguments.count >= 4 else { fail("StoreProgram write|check|serve|add STORE …") }
let url = URL(filePath: arguments[2])

do {
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
