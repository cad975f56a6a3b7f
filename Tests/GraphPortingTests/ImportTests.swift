// Tests the imports that a file gets for other platforms if it has some already.
import ExpectationSupport
import GraphPorting
import Testing

@Suite("Porting of imports")
struct ImportTests {
    private func result(_ text: String) -> String? {
        Porter.port([Porter.Source(path: "A.swift", text: text)]).first?.after
    }

    @Test("A file that imports the names of os from another module on other platforms gets no further import")
    func otherModules() {
        let use = "\nfunc report() { os_log(\"saved\") }\n"
        for imports in [
            "#if canImport(os)\nimport func os.os_log\n#else\nimport func Logs.os_log\n#endif",
            "#if canImport(os)\nimport os\n#else\nimport Logs\n#endif",
            "#if !canImport(os)\nimport Logs\n#else\nimport os\n#endif",
            "import func Logs.os_log",
        ] {
            let text = "import CoreData\n\(imports)\n\(use)"
            expectEqual(result(text), text)
        }
    }

    @Test(
        "Libraries that other platforms have under other names are imported under a condition, and their uses reported"
    )
    func libraries() {
        let text = """
            import CommonCrypto
            import CoreData
            import zlib

            func digest(_ data: Data) -> [UInt8] {
                var result = [UInt8](repeating: 0, count: 20)
                data.withUnsafeBytes { _ = CC_SHA1($0.baseAddress, 0, &result) }
                return result
            }

            """
        expectEqual(result(text)?.contains("#if canImport(zlib)\nimport zlib\n#endif"), true)
        let findings = Porter.port([Porter.Source(path: "A.swift", text: text)]).flatMap(\.findings)
        expectEqual(findings.filter { !$0.isFixed }.map(\.line), [7])
    }

    @Test("A file that imports os only on Apple's platforms gets its replacement")
    func missingModules() {
        let text = """
            import CoreData
            #if canImport(os)
            import os
            #endif

            func report() { os_log("saved") }

            """
        expectEqual(result(text)?.contains("import ApplePlatformShims"), true)
    }

    @Test("A file that uses names of Observation imports it, which Apple's Foundation exports")
    func observation() {
        for (use, isImported) in [
            ("@Observable final class Library { var count = 0 }", true),
            ("class Library { @ObservationIgnored var count = 0 }", true),
            ("func watch() { withObservationTracking { _ = 1 } onChange: {} }", true),
            ("let counts: Observable<Int>? = nil", false),
            ("@propertyWrapper struct Observable {}\nstruct Library { @Observable var count: Int }", false),
        ] {
            let modules = ["CoreData", "SwiftUI\nimport CoreData", "CoreData\nimport SwiftUI"]
            for imports in modules.map({ "import \($0)\n" }) {
                expectEqual(result(imports + use + "\n")?.contains("import Observation\n"), isImported, "\(use)")
            }
            let text = "import CoreData\nimport Observation\n" + use + "\n"
            expectEqual(result(text), text)
        }
        expectEqual(
            result("@Observable final class Library { var count = 0 }\n"),
            "import Observation\n\n@Observable final class Library { var count = 0 }\n"
        )
    }
}
