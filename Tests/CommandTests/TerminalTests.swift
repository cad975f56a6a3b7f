// Tests the output of commands to a terminal and to a pipe.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraphCommand

@Suite("Terminals and pipes")
struct TerminalTests {
    @Test("Colours are written only to a terminal, and not if NO_COLOR or TERM=dumb forbid them")
    func colours() async throws {
        let sample = try SampleStore()
        let arguments = ["store", "check", sample.store.path, "--model", sample.model.path]
        let painted = try await TerminalCommand(arguments).finish()
        #expect(painted.screen.contains("\u{1B}[32mok\u{1B}[0m"), "\(painted.screen)")
        expectEqual(painted.status, 0, "\(painted.screen)")
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb"), ("TERM", "")] {
            let plain = try await TerminalCommand(arguments, environment: [name: value]).finish()
            #expect(plain.screen.contains(": ok (") && !plain.screen.contains("\u{1B}"), "\(name)=\(value)")
        }
        let never = try await TerminalCommand(arguments + ["--color", "never"]).finish()
        #expect(!never.screen.contains("\u{1B}"))
        let pipe = try await Command.run(Array(arguments.dropFirst()), of: "store")
        #expect(pipe.output.contains(": ok (") && !pipe.output.contains("\u{1B}"))
        let always = try await Command.run(Array(arguments.dropFirst()) + ["--color", "always"], of: "store")
        #expect(always.output.contains("\u{1B}[32mok"))
    }

    @Test("An error names the file, the reason and the remedy; wrong usage has a separate status")
    func errors() async throws {
        let missing = try await Command.run(["info", "/nowhere/x.sqlite"], of: "store")
        #expect(missing.errors.hasPrefix("/nowhere/x.sqlite: ") && missing.errors.hasSuffix("Check the path.\n"))
        expectEqual(missing.status, 1)
        #expect(missing.output.isEmpty)
        let wrong = try await Command.run(["info"], of: "store")
        expectEqual(wrong.status, 64)
        let later = try await Command.run(["export", "x.sqlite", "--format", "sql", "--entity", "Task"], of: "store")
        expectEqual(later.status, 64)
        #expect(later.errors.contains("Usage: managedgraph store export"))
        let unknown = try await Command.run([], of: "nonsense")
        expectEqual(unknown.status, 64)
    }

    @Test("A reader that closes the pipe ends a command silently")
    func closedPipe() async throws {
        let formats = Data(String(repeating: "a == 1 AND b == 'long enough to fill a pipe'\n", count: 50_000).utf8)
        let input = try Command.file(formats)
        defer { try? FileManager.default.removeItem(at: input) }
        let result = try await Command.shell(
            "\(Command.url.path) predicate < \(input.path) | head -n 1; echo ${PIPESTATUS[0]}"
        )
        #expect(result.errors.isEmpty)
        #expect(result.output.hasSuffix("\n0\n"))
        expectEqual(result.output.split(separator: "\n").count, 2)
    }

    @Test("A full disk is reported")
    func fullDisk() async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let result = try await Command.shell("\(Command.url.path) predicate 'a == 1' > /dev/full; echo $?")
        #expect(result.errors.hasPrefix("standard output: "))
        expectEqual(result.output, "1\n")
    }

    @Test("Completion scripts are generated for bash, zsh and fish", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        let result = try await Command.run([shell], of: "--generate-completion-script")
        expectEqual(result.status, 0)
        #expect(result.output.contains("managedgraph") && result.output.contains("sqlite"))
    }

    @Test("A table's widest columns shrink until it fits, and never disappear")
    func widths() {
        expectEqual(TextTable.fit([3, 40, 10], into: 60), [3, 40, 10])
        expectEqual(TextTable.fit([3, 40, 10], into: 40), [3, 23, 10])
        expectEqual(TextTable.fit([30, 30], into: 5), [6, 6])
    }

    @Test(
        "The width of a text is its width in a terminal",
        arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👩‍👩‍👧", 2), ("✅", 2), ("❤️", 2), ("", 0)]
    )
    func columns(text: String, wanted: Int) {
        expectEqual(TextWidth.columns(text), wanted)
    }

    @Test("Characters that would change a terminal's state are escaped, and truncated texts end with …")
    func harmlessTexts() {
        expectEqual(TextWidth.harmless("a\nb\u{1B}[31m\u{202E}"), "a\\nb\\u{1B}[31m\\u{202E}")
        expectEqual(TextWidth.cut("abcdef", to: 4), "abc…")
        expectEqual(TextWidth.cut("日本語", to: 4), "日…")
        expectEqual(TextWidth.cut("abc", to: 3), "abc")
        #expect(TextWidth.cut("abc", to: 0).isEmpty)
    }

    @Test("A progress bar shows share, rate and remaining time, and is never wider than the terminal")
    func progress() {
        func text(_ done: Int, _ total: Int?, _ seconds: Double, _ width: Int) -> String {
            ProgressBar.text(
                title: "importing",
                unit: "rows",
                done: done,
                total: total,
                fraction: total.map { Double(done) / Double($0) },
                seconds: seconds,
                width: width
            )
        }
        #expect(text(250_000, 1_000_000, 5, 200).hasPrefix("importing  25% [#######....................."))
        #expect(text(250_000, 1_000_000, 5, 200).hasSuffix("250,000 of 1,000,000 rows, 50,000/s, 15 s left"))
        expectEqual(text(1_234, nil, 2, 80), "importing 1,234 rows, 617/s")
        for width in 0..<100 { #expect(text(999_999, 1_000_000, 100, width).count <= width) }
    }
}
