// Uses damaged copies of the collections' stores and models, case by case: stores are checked, read in full, changed and
// saved; models are read, used and written. The tests run this program, so that a crash or a hang ends only this process.
// Arguments: the kind of files, the first case, the one after the last, and a working folder. Each case is a line: its
// number before it begins, then its outcome.
import Foundation
import TestSupport

let arguments = CommandLine.arguments
guard arguments.count == 5, ["stores", "models"].contains(arguments[1]), let first = Int(arguments[2]),
    let end = Int(arguments[3]), first <= end
else {
    print("DamageProgram stores|models FIRST END FOLDER")
    exit(2)
}
if !Sanitizer.isOn {
    // Unbounded memory use is a failure too.
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}

/// Writes a line unbuffered, so that nothing is lost if the process ends.
func say(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

do {
    let folder = URL(filePath: arguments[4])
    let cases: any DamageCases =
        arguments[1] == "models" ? try ModelDamageCases(folder: folder) : try StoreDamageCases(folder: folder)
    for number in first..<end {
        try say("case \(number)")
        try say("\(number) \(cases.run(number))")
    }
} catch {
    print("error \(error)")
    exit(1)
}
