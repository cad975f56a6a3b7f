// Tests the names under which a class of a model is searched in a program.
import ExpectationSupport
import Testing

@testable import ManagedGraph

struct ClassNameTests {
    @Test("The module of a program has its name without an extension, as an identifier")
    func programs() {
        let modules = ["Tasks", "reading-list", "TasksPackageTests.xctest", "a b.c.d", ""]
        expectEqual(
            modules.map(ManagedObjectRegistry.moduleName(ofProgram:)),
            ["Tasks", "reading_list", "TasksPackageTests", "a_b", ""]
        )
    }

    @Test("No candidate has two dots, since Foundation logs each of those that it does not find")
    func candidates() {
        let names = ManagedObjectRegistry.classNames(for: "Task")
        expectEqual(names.first, "Task")
        #expect(names.count > 1)
        #expect(names.allSatisfy { $0.count { $0 == "." } <= 1 && $0.hasSuffix("Task") }, "\(names)")
    }
}
