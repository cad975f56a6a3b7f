// Reads a hostile file and prints the memory that this took. The tests run this program, so that a crash or an excess
// ends only this process. Arguments: the name of a file of HostileFiles; without one it prints the names.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print(HostileFiles.all.map(\.name).joined(separator: "\n"))
    exit(0)
}
guard let file = HostileFiles.all.first(where: { $0.name == arguments[1] }) else {
    print("an unknown file: \(arguments[1])")
    exit(2)
}

do {
    let data = file.make()
    // Tables that Foundation makes at the first read are not part of the measurement.
    _ = try? file.read(Data(data.prefix(64)))
    try ProcessMemory.resetPeak()
    let before = try ProcessMemory.bytes("VmRSS")
    let start = ContinuousClock.now
    let outcome: String
    do {
        outcome = try file.read(data) ? "read" : "refused"
    } catch {
        outcome = "refused"
    }
    let growth = try ProcessMemory.bytes("VmHWM") - before
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(file.name) \(data.count) \(growth) \(outcome) \(file.slack) \(seconds)")
} catch {
    print("\(error)")
    exit(1)
}
