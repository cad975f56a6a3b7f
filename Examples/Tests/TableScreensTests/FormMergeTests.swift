import TableScreens
import Testing

@Suite("Three versions of a form")
struct FormMergeTests {
    private func merge(_ opened: [String: String], _ mine: [String: String], _ now: [String: String]) -> FormMerge<
        String
    > {
        FormMerge(["a", "b", "c"], opened: opened, mine: mine, now: now)
    }

    /// All cases of one field with two values: the three versions, the merged value, and whether it is a conflict.
    @Test(
        "A field takes the value of the side that changed it, and both changes to different values are a conflict",
        arguments: [
            ("x", "x", "x", "x", false), ("x", "x", "y", "y", false), ("x", "y", "x", "y", false),
            ("x", "y", "y", "y", false), ("x", "y", "z", "y", true), ("x", "", "z", "", true),
            ("", "y", "", "y", false),
        ]
    )
    func everyCase(opened: String, mine: String, now: String, value: String, isConflict: Bool) {
        let merge = merge(["a": opened], ["a": mine], ["a": now])
        #expect(merge.values == ["a": value])
        #expect(merge.conflicts == (isConflict ? [.init(name: "a", mine: mine, theirs: now)] : []))
    }

    @Test("Each field is merged for itself, and conflicts come in the order of the names")
    func fields() {
        let merge = merge(
            ["a": "1", "b": "1", "c": "1"],
            ["a": "2", "b": "1", "c": "2"],
            ["a": "3", "b": "3", "c": "3"]
        )
        #expect(merge.values == ["a": "2", "b": "3", "c": "2"])
        #expect(merge.conflicts.map(\.name) == ["a", "c"])
    }

    @Test("Saving again against what is there now ends the conflict")
    func again() {
        let first = merge(["a": "1"], ["a": "2"], ["a": "3"])
        #expect(first.conflicts.count == 1)
        #expect(merge(["a": "3"], ["a": "2"], ["a": "3"]).conflicts.isEmpty)
        #expect(merge(["a": "3"], ["a": "2"], ["a": "4"]).conflicts == [.init(name: "a", mine: "2", theirs: "4")])
    }

    @Test("A field that was not opened or not sent stays as it is, and fields of no name are kept")
    func missing() {
        #expect(merge([:], ["a": "2", "action": "save"], ["a": "3"]).values == ["a": "2", "action": "save"])
        #expect(merge(["a": "1"], [:], ["a": "3"]).values == [:])
        #expect(merge(["a": "1"], ["a": "2"], [:]).values == ["a": "2"])
    }

    @Test("Values may be of any kind, and nothing is a value too")
    func optionals() {
        let opened: [String: Int?] = ["a": nil]
        let now: [String: Int?] = ["a": 2]
        let mine: [String: Int?] = ["a": 1]
        #expect(FormMerge(["a"], opened: opened, mine: opened, now: now).values == now)
        #expect(
            FormMerge(["a"], opened: opened, mine: mine, now: now).conflicts == [.init(name: "a", mine: 1, theirs: 2)]
        )
    }
}
