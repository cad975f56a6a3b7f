// Tests the changes that `port --diff` prints.
import ExpectationSupport
import GraphPorting
import Testing

struct UnifiedDiffTests {
    @Test("A diff has three lines around each change, and marks a missing newline at the end")
    func diff() {
        let before = (1...12).map { "\($0)\n" }.joined() + "end"
        let after = before.replacing("2\n", with: "two\n", maxReplacements: 1).replacing("end", with: "END")
        expectEqual(
            UnifiedDiff.lines(from: before, to: after, path: "x"),
            [
                "--- a/x", "+++ b/x", "@@ -1,5 +1,5 @@", " 1", "-2", "+two", " 3", " 4", " 5", "@@ -10,4 +10,4 @@",
                " 10",
                " 11", " 12", "-end", "\\ No newline at end of file", "+END", "\\ No newline at end of file",
            ]
        )
        #expect(UnifiedDiff.lines(from: before, to: before, path: "x").isEmpty)
    }
}
