// Rounds of the cases in which threads share a file: each on a copy of a full file, the subjects interleaved.
import Foundation

extension Runner {
    /// The rounds by subject.
    func run(_ benchmark: any SharingCase.Type, _ files: [any SharedFile.Type]) throws -> [String: [SharingRound]] {
        for file in files { try Self.makeFull(file.filler, at: fullFile(file.filler), input) }
        return try rounds { round in
            try rotated(files, by: round).map { file in
                (file.name, try onCopy(file.filler, "\(file.name)-\(round)") { try self.round(benchmark, file, $0) })
            }
        }
    }

    /// Runs one round in this process and prints its peak of memory in bytes.
    func runAsChild(_ benchmark: any SharingCase.Type, _ file: any SharedFile.Type) throws {
        _ = try onCopy(file.filler, "\(file.name)-peak") { try round(benchmark, file, $0) }
        print(try PeakMemory.highWaterMark())
    }

    private func round(
        _ benchmark: any SharingCase.Type,
        _ file: any SharedFile.Type,
        _ copy: URL
    ) throws -> SharingRound {
        try benchmark.round(file.init(file: copy), ExpectedRows(rows: input, checksum: expected))
    }
}
