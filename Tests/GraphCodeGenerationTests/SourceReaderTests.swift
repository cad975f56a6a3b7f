// Tests the declarations read from sources.
import ExpectationSupport
import GraphCodeGeneration
import Testing

@Suite("Sources")
struct SourceReaderTests {
    private func read(_ text: String) -> SourceDeclarations {
        SourceReader.read(text, file: "/folder/File.swift")
    }

    @Test("Properties are read with type, access, position and attribute")
    func properties() {
        let declarations = read(
            """
            class A {
                @NSManaged public private(set) var x: Set<Int>?, y: [String: Any]
                struct B { private let `class` = 1 }
            }
            private extension A { var z: Int { 1 } }
            """
        )
        expectEqual(declarations.properties.map(\.name), ["x", "y", "class", "z"])
        expectEqual(declarations.properties.map(\.isManaged), [true, true, false, false])
        expectEqual(declarations.properties.map(\.isComputed), [false, false, false, true])
        expectEqual(declarations.properties.map(\.context.access), [.public, .public, .private, .fileprivate])
        expectEqual(declarations.properties[0].setterAccess, .private)
        expectEqual(declarations.properties[1].typeText, "[String: Any]")
        expectEqual(declarations.properties[2].context.enclosing, ["A", "B"])
        expectEqual(declarations.properties[2].context.location, SourceLocation(file: "/folder/File.swift", line: 3))
    }

    @Test("Declarations inside functions are not found")
    func localDeclarations() {
        #expect(read("func f() { class A { var x = 1 } }\nclass B { func g() { var y = 2 } }").properties.isEmpty)
    }

    @Test("A false condition hides its declarations, a true one hides the others")
    func decidedConditions() {
        let declarations = read(
            """
            class A {
                #if canImport(ObjectiveC) && !DEBUG
                var apple = 1
                #elseif os(iOS) || false
                var phone = 1
                #elseif canImport(Foundation)
                var here = 1
                #else
                var nowhere = 1
                #endif
            }
            """
        )
        expectEqual(declarations.properties.map(\.name), ["here"])
        expectNil(declarations.properties[0].context.condition)
    }

    @Test("A condition that only the build can decide is kept with its declarations")
    func undecidedConditions() {
        let declarations = read("class A {\n#if DEBUG\nvar a = 1\n#elseif FAST\nvar b = 1\n#else\nvar c = 1\n#endif\n}")
        expectEqual(
            declarations.properties.map(\.context.condition),
            ["DEBUG", "(!(DEBUG)) && (FAST)", "(!(DEBUG)) && (!(FAST))"]
        )
    }

    @Test("The name in @objc(Name) is read, even under a condition")
    func objectiveCNames() {
        let declarations = read("@objc(Old) class A {}\n#if canImport(Foundation)\n@objc(Older)\n#endif\nclass B {}")
        expectEqual(declarations.types.map(\.objectiveCName), ["Old", "Older"])
    }

    @Test("A getter that throws, is async or is bound to an actor is not plainly readable")
    func effects() {
        let declarations = read(
            """
            class A {
                var a: Int { get throws { 1 } }
                var b: Int { get async { 1 } }
                @MainActor var c: Int { 1 }
                @available(*, deprecated) var d: Int { 1 }
                var e: Int { get { 1 } set {} }
            }
            """
        )
        expectEqual(declarations.properties.map(\.isPlainlyReadable), [false, false, false, false, true])
    }

    @Test("The attributes of an extension apply to its members, except to those that are nonisolated")
    func effectsOfExtensions() {
        let declarations = read(
            """
            @MainActor extension A {
                var a: Int { 1 }
                nonisolated var b: Int { 1 }
                func c() {}
                nonisolated func d() {}
                class Inner { var e: Int { 1 } }
            }
            @available(*, deprecated) extension A {
                var f: Int { 1 }
                nonisolated func g() {}
            }
            extension A { var h: Int { 1 } }
            """
        )
        expectEqual(declarations.properties.map(\.name), ["a", "b", "e", "f", "h"])
        expectEqual(declarations.properties.map(\.isPlainlyReadable), [false, true, true, false, true])
        expectEqual(declarations.methods.map(\.name), ["c", "d", "g"])
        expectEqual(declarations.methods.map(\.isIsolated), [true, false, true])
    }
}
