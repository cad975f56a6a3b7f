// Cuts the power, fails calls, lets no more files be opened, or makes the volume read-only, in scenarios with stores and
// files; prints problems and a summary. Run by the tests.
//   OutageProgram cuts NAMES COUNT SEED     that many cuts in each scenario; NAMES are separated by commas, or all
//   OutageProgram calls NAMES STRIDE SEED   each STRIDE-th call of each kind, or of those in OUTAGE_KINDS
//   OutageProgram sample NAMES COUNT SEED   that many calls in each scenario, chosen at random
//   OutageProgram descriptors NAMES STRIDE SEED   few more files can be opened from each STRIDE-th step on
//   OutageProgram volume NAMES STRIDE SEED  the volume OUTAGE_VOLUME is read-only from each STRIDE-th step on
//   OutageProgram recording NAMES 1 1       prints the recorded operations
//   OutageProgram list                      the names of the scenarios
import CFileCalls
import Foundation

/// Prints a line unbuffered, so that lines printed before a crash are not lost.
func say(_ text: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

let arguments = CommandLine.arguments
// In memory if available, so that thousands of stores do not wait for a disk.
let memory = URL(filePath: "/dev/shm")
let usual = FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
let base = (WorkVolume.path.map { URL(filePath: $0) } ?? usual)
    .resolvingSymlinksInPath().appending(path: "outage-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: base) }
let scenarios = try Scenario.all(base.appending(path: "models"))
if arguments.count == 2, arguments[1] == "list" {
    for scenario in scenarios { say(scenario.name) }
    try? FileManager.default.removeItem(at: base)
    exit(0)
}
guard arguments.count == 5, let count = Int(arguments[3]), let seed = Int(arguments[4]), count > 0 else {
    say("OutageProgram cuts|calls|sample|descriptors|volume NAMES COUNT SEED")
    exit(2)
}
guard arguments[1] != "volume" || WorkVolume.path != nil else {
    say("OUTAGE_VOLUME is to name a folder on which a volume of this program's own is mounted")
    exit(2)
}
let names = arguments[2] == "all" ? nil : Set(arguments[2].split(separator: ",").map(String.init))
let chosen = scenarios.filter { names?.contains($0.name) ?? true }
var (tries, problems, refused) = (0, 0, 0)
var kinds: Set<FileCall> = []
for (number, scenario) in chosen.enumerated() {
    let folder = base.appending(path: "work-\(number)")
    let clock = ContinuousClock.now
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let end: String
        if arguments[1] == "cuts" || arguments[1] == "recording" {
            var cuts = try PowerCuts(scenario, in: folder)
            if arguments[1] == "recording" { cuts.printRecording() } else { try cuts.run(count, seed: UInt64(seed)) }
            tries += cuts.cuts
            problems += cuts.problems.values.reduce(0, +)
            end = "\(cuts.cuts) cuts, \(cuts.count) operations, \(cuts.problems.values.reduce(0, +)) problems"
        } else {
            var calls = try FailingCalls(scenario, in: folder)
            switch arguments[1] {
            case "sample": try calls.sample(count, seed: seed)
            case "descriptors": try calls.runWithoutDescriptors(stride: count)
            case "volume": try calls.runOnReadOnlyVolume(stride: count)
            default: try calls.run(stride: count, seed: seed)
            }
            tries += calls.runs
            refused += calls.refused
            kinds.formUnion(calls.calls.filter { $0.value > 0 }.keys)
            problems += calls.problems.values.reduce(0, +)
            let codes = calls.codes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            let excluded = calls.excluded > 0 ? "\(calls.excluded) not possible, " : ""
            end =
                "\(calls.runs) runs, \(excluded)\(calls.refused) steps refused (\(codes)), "
                + "\(calls.problems.values.reduce(0, +)) problems"
        }
        say("\(scenario.name): \(end), \(clock.duration(to: .now))")
    } catch {
        problems += 1
        say("\(scenario.name): \(error)")
    }
    FileCall.work()
    file_calls_watch(nil)
    try? FileManager.default.removeItem(at: folder)
}
// A test of failures in which nothing fails would pass.
if names == nil, ["calls", "sample"].contains(arguments[1]) {
    for call in FileCall.allCases where !kinds.contains(call) {
        problems += 1
        say("no scenario has a call of the kind \(call)")
    }
}
let mustRefuse = names == nil ? ["calls", "sample", "descriptors", "volume"] : ["descriptors", "volume"]
if mustRefuse.contains(arguments[1]), refused == 0 {
    problems += 1
    say("no step was refused")
}
say("\(arguments[1]): \(tries) tries in \(chosen.count) scenarios, \(problems) problems")
try? FileManager.default.removeItem(at: base)
exit(problems == 0 ? 0 : 1)
