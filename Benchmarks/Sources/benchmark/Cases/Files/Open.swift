// open and open-log: the time from the start of a process to its first object. In open-log, a process has changed a
// file of 192 MB and exited without closing it, which leaves a write-ahead log.
import Foundation

enum Open {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "open",
                goals: [.ratio(1.2)],
                sizes: [20_000, 200_000],
                measure: .wholeTime,
                measuresPeak: false,
                entrants: OpenChild.Library.allCases.map { library in
                    Entrant(library.rawValue) { setting in
                        let file = try library == .managed ? setting.managed(.people) : setting.plain(.people)
                        return { try start(library, file) }
                    }
                }
            ),
            BenchmarkCase(
                name: "open-log",
                goals: [.ratio(1.5)],
                sizes: [20_000],
                measure: .wholeTime,
                measuresPeak: false,
                entrants: OpenChild.Library.allCases.map { library in
                    Entrant(library.rawValue) { setting in
                        let full = try library == .managed ? setting.managed(.longTexts) : setting.plain(.longTexts)
                        let file = try setting.copy(full)
                        let child = try OpenChild.start(library, file, changes: true)
                        _ = try child.finish()
                        guard FileManager.default.fileExists(atPath: file.path + "-wal") else {
                            throw BenchmarkError("\(library.rawValue) left no log behind.")
                        }
                        return { try start(library, file) }
                    }
                }
            ),
        ]
    }

    private static func start(_ library: OpenChild.Library, _ file: URL) throws -> Outcome {
        let child = try OpenChild.start(library, file, changes: false)
        return Outcome { try child.finish() }
    }
}
