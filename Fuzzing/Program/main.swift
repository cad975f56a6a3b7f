// Runs one parser of untrusted input with libFuzzer, or on given files: FuzzProgram TARGET [FILE or libFuzzer's arguments].
// Without arguments it lists the readers; `FuzzProgram TARGET --seeds FOLDER` writes the reader's seeds. Built by
// Scripts/fuzz.sh with FUZZING defined and libFuzzer linked.
import Foundation
import FuzzTargets

#if FUZZING
    /// libFuzzer's loop over inputs.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runFuzzer(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
    for target in FuzzTarget.all { print(target.name, target.dictionary ?? "-") }
    exit(0)
}
guard let target = FuzzTarget.named(arguments[1]) else {
    print("There is no reader \(arguments[1]). Without arguments the program lists them.")
    exit(2)
}

if arguments.count == 4, arguments[2] == "--seeds" {
    let folder = URL(filePath: arguments[3])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, seed) in try target.seeds().enumerated() {
        try seed.write(to: folder.appending(path: "own-\(number)"))
    }
    exit(0)
}

#if FUZZING
    // libFuzzer calls a function without context.
    nonisolated(unsafe) private let read = target.read
    var list: [UnsafeMutablePointer<CChar>?] = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
    var count = CInt(list.count - 1)
    let status = list.withUnsafeMutableBufferPointer { list -> CInt in
        guard var base = list.baseAddress else { return 2 }
        return runFuzzer(&count, &base) { bytes, count in
            read(Data(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }
    exit(status)
#else
    for path in arguments.dropFirst(2) {
        target.read(try Data(contentsOf: URL(filePath: path)))
        print("read \(path)")
    }
#endif
