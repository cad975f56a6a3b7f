// Reads a request's body as it arrives, in either encoding that browsers use. Called by ScreenResponder. Input above a
// limit is read and discarded, so that the browser can receive the response.
import Foundation
import HTTPTypes
import Hummingbird

extension FormBody {
    /// Reads the form in a request.
    ///
    /// - Throws: The reason for rejecting it.
    static func read(_ request: Request, limits: Limits = .usual) async throws(Problem) -> FormBody {
        let type = request.headers[.contentType] ?? ""
        var body: FormBody
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            body = FormBody(fields: try await urlencoded(request, limits))
        } else if var reader = MultipartReader(contentType: type, limits: limits) {
            do {
                for try await part in request.body {
                    part.withUnsafeReadableBytes { reader.read($0) }
                }
            } catch {
                throw .unreadable
            }
            body = try reader.finish()
        } else {
            throw .unreadable
        }
        // Forms send line breaks as CRLF, regardless of those in the text.
        body.fields = body.fields.mapValues(Self.withPlainLineBreaks)
        return body
    }

    /// The fields of a form that the page's own scripts and buttons send; none if the body is rejected, which the callers
    /// refuse as they do an unknown value.
    static func fields(of request: Request) async -> [String: String] {
        (try? await read(request))?.fields ?? [:]
    }

    private static func urlencoded(_ request: Request, _ limits: Limits) async throws(Problem) -> [String: String] {
        var bytes = ByteBuffer()
        do {
            for try await part in request.body {
                guard bytes.readableBytes <= limits.fields else { continue }
                bytes.writeImmutableBuffer(part)
            }
        } catch {
            throw .unreadable
        }
        guard bytes.readableBytes <= limits.fields else { throw .fieldsTooLarge }
        let pairs = bytes.withUnsafeReadableBytes { bytes in
            var decoder = FormDecoder()
            return decoder.fields(bytes)
        }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    private static func withPlainLineBreaks(_ text: String) -> String {
        let hasReturn = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 13, bytes.count) != nil } ?? false
        }
        guard hasReturn ?? true else { return text }
        return text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    }
}
