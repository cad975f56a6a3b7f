// Tests `managedgraph port` as a separate process.
import ExpectationSupport
import Foundation
import Testing

@Suite("managedgraph port")
struct PortTests {
    private static let text = """
        import CoreData

        @objc(Task)
        class Task: NSManagedObject {
            let key = #keyPath(Task.title)
        }

        """
    private static let ported = """
        import CoreData

        #if canImport(ObjectiveC)
        @objc(Task)
        #endif
        class Task: NSManagedObject {
            let key = "title"
        }

        """

    @Test("Without --write places are reported and nothing is changed; with it files are rewritten once")
    func writing() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let file = try samples.write(Self.text, to: "Sources/App/Task.swift")
        try samples.write("@objc class Pod {}\n", to: "Pods/Pod.swift")
        try samples.write("@objc class Built {}\n", to: ".build/checkouts/x/Built.swift")
        let report = try await Command.run([samples.folder.path], of: "port")
        #expect(
            report.output.hasPrefix("key-path  1 can be rewritten\nobjc      1 can be rewritten\n1 files: 2 places")
        )
        let all = try await Command.run([samples.folder.path, "--verbose"], of: "port")
        #expect(all.output.contains("\(file):3:1: can be rewritten [objc] @objc(Task) needs the Objective-C runtime."))
        #expect(report.output.contains("1 files: 2 places to be rewritten in 1 files, 0 to be done by hand.\n"))
        expectEqual(report.status, 0)
        #expect(report.errors.isEmpty)
        try expectEqual(samples.read("Sources/App/Task.swift"), Self.text)
        let written = try await Command.run([samples.folder.path, "--write", "--verbose"], of: "port")
        #expect(written.output.contains("\(file):5:15: rewritten [key-path]"))
        expectEqual(written.status, 0)
        try expectEqual(samples.read("Sources/App/Task.swift"), Self.ported)
        let again = try await Command.run([samples.folder.path, "--write"], of: "port")
        expectEqual(again.output, "1 files: 0 places rewritten in 0 files, 0 to be done by hand.\n")
        expectEqual(again.status, 0)
        try expectEqual(samples.read("Pods/Pod.swift"), "@objc class Pod {}\n")
    }

    @Test("--diff writes a diff that `patch` accepts")
    func diff() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        try samples.write(Self.text, to: "Task.swift")
        let line =
            "'\(Command.url.path)' port '\(samples.folder.path)' --diff | patch -s -p1 -d '\(samples.folder.path)'"
        let result = try await Command.shell(line)
        expectEqual(result.status, 0, "\(result.output)\(result.errors)")
        #expect(result.output.isEmpty, "\(result.output)\(result.errors)")
        try expectEqual(samples.read("Task.swift"), Self.ported)
    }

    @Test("--json writes one object per place; places left to do by hand make the status 1")
    func json() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let file = try samples.write(Self.text + "let action = #selector(Task.go)\n", to: "Task.swift")
        let result = try await Command.run(["--json", file], of: "port")
        expectEqual(result.objects.map { $0["rule"] as? String }, ["objc", "key-path", "selector"])
        expectEqual(result.objects.map { $0["fixed"] as? Bool }, [true, true, false])
        let last = try #require(result.objects.last)
        expectEqual(Set(last.keys), ["file", "line", "column", "rule", "message", "remedy", "fixed"])
        expectEqual(last["file"] as? String, file)
        expectEqual(last["line"] as? Int, 7)
        expectEqual(last["column"] as? Int, 14)
        expectEqual(result.status, 1)
        #expect(result.errors.isEmpty)
    }

    @Test("Code does not move into another module, from the folder of a package's modules either")
    func modules() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        try samples.write("// swift-tools-version: 6.1\n", to: "Package.swift")
        try samples.write("import CoreData\n\nopen class Base: NSManagedObject {}\n", to: "Sources/Model/Base.swift")
        let text = "import CoreData\nimport Model\n\nextension Base {\n    override func willSave() {}\n}\n"
        try samples.write(text, to: "Sources/App/Base.swift")
        for folder in [samples.folder, samples.folder.appending(path: "Sources")] {
            let result = try await Command.run([folder.path, "--json"], of: "port")
            expectEqual(result.objects.map { $0["rule"] as? String }, ["override"])
            expectEqual(result.objects.map { $0["fixed"] as? Bool }, [false])
            expectEqual(result.status, 1)
        }
    }

    @Test("All files of a target are one module, also if the manifest names its folder")
    func targetFolders() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let manifest = """
            // swift-tools-version: 6.1
            dependencies: [.package(path: "../Other")],
            targets: [.target(name: "Model", path: "./Tests/"), .target(name: "App", path: "Tests/App")]
            """
        try samples.write(manifest, to: "Package.swift")
        let person = "import CoreData\n\nclass Person: NSManagedObject {\n    @NSManaged var cars: NSSet?\n}\n"
        try samples.write(person, to: "Tests/Entities/Person.swift")
        let text = "import CoreData\n\nfunc fill(_ person: Person, _ car: Any) { person.cars = [car] }\n"
        for file in ["Tests/Fill.swift", "Tests/Helpers/Fill.swift", "Tests/App/Fill.swift"] {
            try samples.write(text, to: file)
        }
        for folder in [samples.folder, samples.folder.appending(path: "Tests")] {
            let result = try await Command.run([folder.path, "--json"], of: "port")
            let files = result.objects.compactMap { ($0["file"] as? String)?.split(separator: "/").suffix(2) }
            expectEqual(files.map { $0.joined(separator: "/") }, ["Tests/Fill.swift", "Helpers/Fill.swift"])
        }
    }

    @Test("Classes that a model generates are recognized")
    func models() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        _ = try samples.versions([
            ("M", #"<entity name="Task" representedClassName="Task" syncable="YES" codeGenerationType="class"/>"#)
        ])
        try samples.write("import CoreData\nextension Task { override func willSave() {} }\n", to: "Life.swift")
        let result = try await Command.run([samples.folder.path], of: "port")
        #expect(result.output.contains("The model has Xcode write the class Task."))
        expectEqual(result.status, 1)
    }

    @Test("Array literals for the methods of sets that a model generates become sets, those of ordered sets stay")
    func generatedSets() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let relationship = #"<relationship name="cars" optional="YES" toMany="YES" destinationEntity="Car"/>"#
        let ordered =
            #"<relationship name="tours" optional="YES" toMany="YES" ordered="YES" destinationEntity="Car"/>"#
        _ = try samples.versions([
            (
                "M",
                #"<entity name="Car" representedClassName="Car" syncable="YES" codeGenerationType="class"/>"#
                    + #"<entity name="Person" representedClassName="Person" syncable="YES" codeGenerationType="class">"#
                    + relationship + ordered + "</entity>"
            )
        ])
        let text = "func fill(_ person: Person, _ car: Car) {\n    %\n    person.addToTours([car])\n}\n"
        let lines = "person.addToCars([car])\n    person.removeFromCars([car])\n    person.addToCars(car)"
        try samples.write("import CoreData\n" + text.replacing("%", with: lines), to: "Fill.swift")
        let result = try await Command.run([samples.folder.path, "--write"], of: "port")
        expectEqual(result.status, 0)
        let sets = lines.replacing("([car])", with: "(NSSet(array: [car]))")
        try expectEqual(samples.read("Fill.swift"), "import CoreData\n" + text.replacing("%", with: sets))
    }

    @Test("A missing path, a folder without Swift files, a model and invalid UTF-8 are reported, with status 1")
    func wrongInput() async throws {
        let samples = try ModelSamples()
        defer { samples.remove() }
        let missing = try await Command.run(["/nowhere/x"], of: "port")
        expectEqual(missing.errors, "/nowhere/x: the file or folder does not exist. Check the path.\n")
        expectEqual(missing.status, 1)
        let empty = samples.folder.path
        let none = try await Command.run([empty], of: "port")
        #expect(none.errors.hasPrefix("\(empty): the folder contains no Swift files"))
        expectEqual(none.status, 1)
        let model = try samples.versions([("M", "")])
        let wrong = try await Command.run([model], of: "port")
        #expect(wrong.errors.hasPrefix("\(model): this is a model."))
        expectEqual(wrong.status, 1)
        let text = try samples.write("x", to: "notes.txt")
        let other = try await Command.run([text], of: "port")
        #expect(other.errors.contains("this is neither a folder nor a Swift file"))
        expectEqual(other.status, 1)
        let file = samples.folder.appending(path: "Bytes.swift")
        try Data([0x6C, 0x65, 0xFF, 0xFE]).write(to: file)
        let bytes = try await Command.run([file.path, "--write"], of: "port")
        #expect(bytes.output.hasPrefix("file  1 by hand\n\(file.path):1:1: by hand [file] the file is not UTF-8"))
        expectEqual(bytes.status, 1)
        try expectEqual(Data(contentsOf: file), Data([0x6C, 0x65, 0xFF, 0xFE]))
        #expect(try await Command.run([], of: "port").status == 64)
        #expect(try await Command.run([".", "--write", "--dry-run"], of: "port").status == 64)
    }
}
