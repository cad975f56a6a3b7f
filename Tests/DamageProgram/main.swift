// Damages copies of the corpus's stores, case by case, and uses them: checked, read whole, changed, saved. Run by the tests,
// which see a crash or a hang as the end of this process. Arguments: the first case, the one after the last, a folder to work
// in. Each case is a line: its number before it begins, then what came of it.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4, let first = Int(arguments[1]), let end = Int(arguments[2]), first <= end else {
    print("DamageProgram FIRST END FOLDER")
    exit(2)
}
// Memory without bound is a fault too.
var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
/// Writes a line at once: nothing of it is lost with the process.
func say(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

do {
    let cases = try DamageCases(folder: URL(filePath: arguments[3]))
    for number in first..<end {
        try say("case \(number)")
        try say("\(number) \(cases.run(number))")
    }
} catch {
    print("error \(error)")
    exit(1)
}
