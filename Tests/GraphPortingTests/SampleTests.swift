// Applies every rule to a sample: the result is as expected and compiles.
import ExpectationSupport
import Foundation
import GraphPorting
import Testing

@Suite("Porting rules")
struct SampleTests {
    /// Ports a text, with the findings.
    private func port(_ text: String) -> Porter.Ported {
        Porter.port([Porter.Source(path: "Sample.swift", text: text)])[0]
    }

    @Test(
        "Each rule rewrites its sample as expected, and a second run finds nothing",
        arguments: Sample.all + Sample.replaced + Sample.requests + Sample.foundation
    )
    func rewriting(sample: Sample) {
        let ported = port(sample.before)
        expectEqual(ported.after, sample.after)
        #expect(ported.findings.contains { $0.rule == sample.rule } && ported.findings.allSatisfy { $0.isFixed })
        let again = port(ported.after)
        expectEqual(again.after, ported.after, "\(again.findings)")
        #expect(again.findings.isEmpty, "\(again.findings)")
    }

    @Test(
        "The compiler rejects a sample before, and accepts it after",
        .enabled(if: FrameworkCompiler.isPresent, "the framework's modules are not beside the tests"),
        arguments: Sample.all + Sample.replaced + Sample.requests + Sample.foundation
    )
    func compiling(sample: Sample) throws {
        let before = try FrameworkCompiler.errors(in: sample.before)
        expectEqual(before.isEmpty, sample.compilesBefore, "\(before)")
        let after = try FrameworkCompiler.errors(in: port(sample.before).after)
        #expect(after.isEmpty, "\(after)")
    }
}
