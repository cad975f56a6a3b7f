// Tests `managedgraph predicate` as a separate process: its output, its error output and its exit status.
import ExpectationSupport
import Foundation
import Testing

@Suite("managedgraph predicate")
struct PredicateCommandTests {
    @Test("Formats given as arguments are printed in Apple's spelling, one per line")
    func arguments() async throws {
        let result = try await Command.run(["a = 1 && b BEGINSWITH[cd] 'x'", "not x in {1,2}"])
        expectEqual(result.output, "a == 1 AND b BEGINSWITH[cd] \"x\"\nNOT x IN {1, 2}\n")
        #expect(result.errors.isEmpty)
        expectEqual(result.status, 0)
    }

    @Test("Specifiers that a program fills are kept; to evaluate a format, they are missing")
    func specifiers() async throws {
        let formats = ["name = %@ and %K.length > %ld", "%1$@ in %2$K", "ANY tags.%K BETWEEN {%d, %.2f}", "'%@' = %s"]
        let result = try await Command.run(formats)
        let printed = """
            name == %@ AND %K.length > %ld
            %1$@ IN %2$K
            ANY tags.%K BETWEEN {%d, %.2f}
            "%@" == %s

            """
        expectEqual(result.output, printed)
        expectEqual(result.status, 0)
        let again = try await Command.run([], input: printed)
        expectEqual(again.output, printed)
        expectEqual(again.status, 0)
        let wrong = try await Command.run(["--json", "a == %y"])
        expectEqual(wrong.objects.first?["position"] as? Int, 5)
    }

    @Test("Without arguments formats are read from standard input; blank lines are skipped")
    func lines() async throws {
        let result = try await Command.run([], input: "a = 1\n\n  \t\r\nb <> 'é'\r\nTRUEPREDICATE")
        expectEqual(result.output, "a == 1\nb != \"é\"\nTRUEPREDICATE\n")
        #expect(result.errors.isEmpty)
        expectEqual(result.status, 0)
    }

    @Test("Empty input is not a failure")
    func nothing() async throws {
        let result = try await Command.run([], input: "")
        #expect(result.output.isEmpty && result.errors.isEmpty)
        expectEqual(result.status, 0)
    }

    @Test("An invalid format is reported on standard error with its position, the others are printed, the status is 1")
    func failures() async throws {
        let result = try await Command.run([], input: "a = 1\n\ngröße == \nb = 2\n")
        expectEqual(result.output, "a == 1\nb == 2\n")
        #expect(result.errors.hasPrefix("line 3: Unable to parse the format string at character 9: "))
        #expect(result.errors.contains("Expected an expression."))
        #expect(result.errors.hasSuffix("\n    größe == \n             ^\n"))
        expectEqual(result.status, 1)
        let single = try await Command.run(["a =="])
        #expect(single.errors.hasPrefix("Unable to parse the format string at character 4: "))
        expectEqual(single.status, 1)
        let second = try await Command.run(["a == 1", ""])
        #expect(second.errors.hasPrefix("argument 2: Unable to parse the format string at character 0: "))
        expectEqual(second.output, "a == 1\n")
        expectEqual(second.status, 1)
    }

    @Test("--json writes one object per line, in the order of the formats, and nothing to standard error")
    func json() async throws {
        let result = try await Command.run(["--json"], input: "a = \"x\\ty\"\n\nName ==== 1\n")
        let lines = result.output.split(separator: "\n")
        expectEqual(
            lines.first,
            #"""
            {"format":"a = \"x\\ty\"","ok":true,"printed":"a == \"x\\ty\"","error":null,"position":null}
            """#
        )
        let wrong = try #require(result.objects.last)
        expectEqual(Set(wrong.keys), ["format", "ok", "printed", "error", "position"])
        expectEqual(wrong["format"] as? String, "Name ==== 1")
        expectEqual(wrong["ok"] as? Bool, false)
        #expect(wrong["printed"] is NSNull)
        expectEqual(wrong["position"] as? Int, 7)
        expectEqual((wrong["error"] as? String)?.hasSuffix("Expected an expression."), true)
        expectEqual(lines.count, 2)
        #expect(result.errors.isEmpty)
        expectEqual(result.status, 1)
    }

    @Test(
        "A position counts characters, not bytes or UTF-16 units",
        arguments: [("é == ", 5), ("👩‍👩‍👧 == ", 5), ("e\u{301} ==", 4), ("'👍🏽' == \u{201C}", 7)]
    )
    func position(format: String, wanted: Int) async throws {
        let result = try await Command.run(["--json", format])
        expectEqual(result.objects.first?["position"] as? Int, wanted)
        expectEqual(result.objects.first?["format"] as? String, format)
    }

    @Test("--evaluate prints the value for the object in a JSON file")
    func evaluation() async throws {
        let json = #"{"name": "Ann", "age": 30, "tags": ["x", "y"], "boss": null, "on": true, "home": {"zip": "1"}}"#
        let file = try Command.file(Data(json.utf8))
        defer { try? FileManager.default.removeItem(at: file) }
        let formats = [
            "age BETWEEN {30, 40} AND name LIKE 'A*'", "boss == nil", "ANY tags == 'z'", "on == YES",
            "home.zip == '1' AND SUBQUERY(tags, $t, $t > 'x').@count == 1", "missing.deeper == 1",
        ]
        let result = try await Command.run(["--evaluate", file.path] + formats)
        expectEqual(result.output, "true\ntrue\nfalse\ntrue\ntrue\nfalse\n", "\(result.errors)")
        expectEqual(result.status, 0, "\(result.errors)")
        let asJSON = try await Command.run(["--json", "--evaluate", file.path, "age > 29", "age = $x", "age ="])
        expectEqual(asJSON.objects.map { $0["value"] as? Bool }, [true, nil, nil])
        expectEqual(asJSON.objects.map { $0["ok"] as? Bool }, [true, false, false])
        #expect(asJSON.objects[1]["printed"] as? String == "age == $x" && asJSON.objects[1]["position"] is NSNull)
        expectEqual((asJSON.objects[1]["error"] as? String)?.contains("The variable $x has no value."), true)
        expectEqual(asJSON.status, 1)
        let text = try await Command.run(["--evaluate", file.path, "age + name == 1"])
        #expect(text.output.isEmpty && text.errors.hasPrefix("Unable to evaluate age + name == 1: "))
        expectEqual(text.status, 1)
    }

    @Test("--evaluate reads a pipe, and values that are not objects")
    func evaluationOfAPipe() async throws {
        let command = "'\(Command.url.path)' predicate --evaluate /dev/stdin"
        let object = try await Command.shell("echo '{\"age\": 30}' | \(command) 'age == 30'")
        expectEqual(object.output, "true\n", "\(object.errors)")
        let list = try await Command.shell("echo '[1, 2]' | \(command) 'SELF CONTAINS 2'")
        expectEqual(list.output, "true\n", "\(list.errors)")
    }

    @Test("A missing or damaged JSON file is reported in one clear sentence")
    func unreadable() async throws {
        let missing = try await Command.run(["--evaluate", "/nowhere/x.json", "a == 1"])
        #expect(missing.errors.hasPrefix("/nowhere/x.json: it cannot be read."))
        expectEqual(missing.status, 1)
        let file = try Command.file(Data("{\"a\": ".utf8))
        defer { try? FileManager.default.removeItem(at: file) }
        let damaged = try await Command.run(["--evaluate", file.path, "a == 1"])
        #expect(damaged.errors.hasPrefix("\(file.path): it is not JSON"))
        expectEqual(damaged.status, 1)
        expectEqual(damaged.errors.split(separator: "\n").count, 1)
        #expect(damaged.output.isEmpty)
    }

    @Test("A line that is not UTF-8 is an error of that line, with its position")
    func damagedText() async throws {
        let input = Data("a == 1\nb == '".utf8) + Data([0xC3, 0x28, 0xFF]) + Data("'\n".utf8) + Data([0xE2, 0x82])
        let result = try await Command.run(["--json"], input: input + Data("\nc == '\0'".utf8))
        expectEqual(result.objects.map { $0["ok"] as? Bool }, [true, false, false, true])
        expectEqual(result.objects.map { $0["position"] as? Int }, [nil, 6, 0, nil])
        expectEqual((result.objects[1]["error"] as? String)?.contains("not UTF-8"), true)
        expectEqual(result.status, 1)
        expectEqual(result.objects[3]["printed"] as? String, "c == \"\0\"")
    }

    @Test("20,000 lines are read within seconds", .timeLimit(.minutes(1)))
    func manyLines() async throws {
        let count = 20_000
        let input = (0..<count).map { $0 % 1000 == 7 ? "a ==" : "name BEGINSWITH[cd] 'x\($0)' AND n > \($0)" }
        let result = try await Command.run(["--json"], input: input.joined(separator: "\n"))
        let lines = result.output.split(separator: "\n")
        expectEqual(lines.count, count)
        expectEqual(result.status, 1)
        expectEqual(lines.count { $0.contains("\"ok\":false") }, count / 1000)
        expectEqual(lines.last?.contains("AND n > 19999\",\"error\":null"), true)
    }

    @Test("Very long and very deep formats give an answer; a message shows only the surrounding text")
    func extremes() async throws {
        let wide = "a IN {" + (0..<50_000).map(String.init).joined(separator: ",") + "}"
        let deep = String(repeating: "(", count: 200_000) + "a == 1" + String(repeating: ")", count: 200_000)
        let deepValue =
            String(repeating: "abs(", count: 200_000) + "a" + String(repeating: ")", count: 200_000) + " == 1"
        let long = "a == '" + String(repeating: "é", count: 200_000) + "' AND"
        let result = try await Command.run([], input: [wide, deep, deepValue, long, "b = 1"].joined(separator: "\n"))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1] == "a == 1" && lines.last == "b == 1" && result.status == 1)
        expectEqual(lines.first?.hasSuffix(", 49998, 49999}"), true)
        #expect(result.errors.contains("nested more than") && result.errors.contains("at character 200011:"))
        #expect(result.errors.utf8.count < 2_000)
    }

    @Test("The help explains the unit of a position")
    func help() async throws {
        let result = try await Command.run(["--help"])
        #expect(result.output.contains("position") && result.output.contains("characters"))
        expectEqual(result.status, 0)
    }
}
