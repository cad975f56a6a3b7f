// Power cuts and failing calls, in scenarios with stores and files: OutageProgram runs them, because all calls of its
// process pass through the recording. OUTAGE_CUTS and OUTAGE_STRIDE set the cuts in each scenario, and the stride of the
// failing calls (1 fails every call of every kind); OUTAGE_SEED continues an earlier run, and OUTAGE_SCENARIOS chooses.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

@Suite struct OutageTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["OUTAGE_SEED"] ?? "1"
    private static let names = environment["OUTAGE_SCENARIOS"] ?? "all"

    /// Runs the program; prints its lines, and records those that name problems.
    private func run(_ arguments: String...) throws {
        let program = Bundle.main.bundleURL.appending(path: "OutageProgram").path
        let (status, text) = try Process.output(of: [program] + arguments, includesErrors: false)
        print(text)
        expectEqual(status, 0, "\(text)")
        let last = text.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix(arguments[0]) && last.hasSuffix(" 0 problems"), "\(last)")
    }

    @Test("After a power cut every acknowledged save is there, none half, and nothing is left over")
    func powerCuts() throws { try run("cuts", Self.names, Self.environment["OUTAGE_CUTS"] ?? "15", Self.seed) }

    @Test("A failing call ends in an error with a remedy, and the next attempt is right")
    func failingCalls() throws {
        if let stride = Self.environment["OUTAGE_STRIDE"] {
            try run("calls", Self.names, stride, Self.seed)
        } else {
            try run("sample", Self.names, "3", Self.seed)
        }
    }
}
