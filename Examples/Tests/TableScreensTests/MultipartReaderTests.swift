import Foundation
import Testing

@testable import TableScreens

@Suite("Forms with files")
struct MultipartReaderTests {
    private static let type = "multipart/form-data; boundary=----edge"
    private static let limits = FormBody.Limits(fields: 100, file: 50, files: 80, parts: 5)

    private static func part(_ headers: String, _ body: String) -> String {
        "------edge\r\nContent-Disposition: form-data; \(headers)\r\n\r\n\(body)\r\n"
    }

    /// Reads a text in pieces of the given size.
    private func read(_ text: String, pieces: Int = .max, type: String = type) throws -> FormBody {
        var reader = try #require(MultipartReader(contentType: type, limits: Self.limits))
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: max(1, min(pieces, bytes.count))) {
            bytes[start..<min(bytes.count, start + min(pieces, bytes.count))].withUnsafeBytes { reader.read($0) }
        }
        return try reader.finish()
    }

    private static let whole =
        part(#"name="a""#, "one\r\n-----edge\r\n") + part(#"name="b""#, "")
        + part("name=\"f\"; filename=\"\u{1F41E} a%22b.png\"\r\nContent-Type: image/png", "\0\r\n\r\r\n--x")
        + part(#"name="none"; filename="""#, "") + "------edge--\r\n"

    @Test("A form is read the same whatever pieces it comes in")
    func pieces() throws {
        let expected = try read(Self.whole)
        #expect(expected.fields == ["a": "one\r\n-----edge\r\n", "b": ""])
        #expect(expected.files == ["f": .init(name: "\u{1F41E} a\"b.png", data: Data("\0\r\n\r\r\n--x".utf8))])
        for size in 1...Self.whole.utf8.count {
            let body = try read(Self.whole, pieces: size)
            #expect(body.fields == expected.fields, "pieces of \(size)")
            #expect(body.files == expected.files, "pieces of \(size)")
        }
    }

    @Test("A form that ends anywhere before its end is not taken")
    func truncated() throws {
        let end = Self.whole.utf8.count - 4
        for size in stride(from: 1, to: end, by: 7) {
            let text = String(decoding: Self.whole.utf8.prefix(size), as: UTF8.self)
            #expect(throws: FormBody.Problem.unreadable, "\(size) bytes") { try read(text) }
        }
    }

    @Test("A file above the limit is left out and named, and the fields around it are read")
    func largeFile() throws {
        let text =
            Self.part(#"name="a""#, "before")
            + Self.part(#"name="f"; filename="x.png""#, String(repeating: "x", count: 51))
            + Self.part(#"name="b""#, "after") + "------edge--"
        for size in [1, 10, 1_000] {
            let body = try read(text, pieces: size)
            #expect(body.fields == ["a": "before", "b": "after"])
            #expect(body.files.isEmpty && body.oversizedFile == "x.png")
        }
    }

    @Test("Files that are too large together are too large")
    func largeFiles() throws {
        let file = { (name: String) in
            Self.part("name=\"\(name)\"; filename=\"\(name).png\"", String(repeating: "x", count: 45))
        }
        let body = try read(file("a") + file("b") + "------edge--")
        #expect(body.files.keys.sorted() == ["a"] && body.oversizedFile == "b.png")
    }

    @Test("Fields above the limit, and too many of them, are not taken")
    func largeFields() {
        let long = Self.part(#"name="a""#, String(repeating: "x", count: 101)) + "------edge--"
        #expect(throws: FormBody.Problem.fieldsTooLarge) { try read(long) }
        let many = (0..<6).map { Self.part("name=\"\($0)\"", "") }.joined() + "------edge--"
        #expect(throws: FormBody.Problem.fieldsTooLarge) { try read(many) }
    }

    @Test("What is kept while a large file passes does not grow with it")
    func memory() throws {
        var reader = try #require(MultipartReader(contentType: Self.type, limits: Self.limits))
        Array(Self.part(#"name="f"; filename="x""#, "").utf8).withUnsafeBytes { reader.read($0) }
        let megabyte = [UInt8](repeating: 13, count: 1_000_000)
        for _ in 0..<20 { megabyte.withUnsafeBytes { reader.read($0) } }
        #expect(reader.keptBytes < 100)
    }

    @Test(
        "Bodies that are not forms are rejected",
        arguments: [
            "", "nothing", "------edge", "------edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n------edge--",
            "------edge\r\n\r\nx\r\n------edge--", "------edge--x------edge", "------edgeXX",
            "------edge\r\n" + String(repeating: "x", count: 9_000),
        ]
    )
    func malformed(text: String) {
        if text == "------edge--x------edge" {
            #expect(throws: Never.self) { try read(text) }
        } else {
            #expect(throws: FormBody.Problem.unreadable) { try read(text) }
        }
    }

    @Test("A content type without a sound boundary is none")
    func contentTypes() {
        let long = String(repeating: "x", count: 71)
        for type in [
            "", "text/plain", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=x",
        ]
            + ["multipart/form-data; boundary=\(long)", "multipart/form-data; boundary=\u{e9}"]
        {
            #expect(MultipartReader(contentType: type, limits: Self.limits) == nil, "\(type)")
        }
        #expect(MultipartReader(contentType: "Multipart/Form-Data; boundary=\"a b\"", limits: Self.limits) != nil)
    }
}
