// The entry point that libFuzzer calls with each body of a web request: forms in both encodings, in pieces of two sizes.
// Scripts/fuzz.sh compiles it into one module with the readers of the sample applications, which are internal.
import Foundation

/// Reads an input as an urlencoded form and as a multipart form.
@_cdecl("LLVMFuzzerTestOneInput")
public func readFuzzedForm(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    var decoder = FormDecoder()
    for (name, value) in decoder.fields(input) {
        precondition(name.utf8.count <= 3 * count && value.utf8.count <= 3 * count, "A field grew.")
    }
    // The first line is the boundary.
    let end = input.firstIndex(of: 10) ?? 0
    let type = "multipart/form-data; boundary=" + String(decoding: input[..<end], as: UTF8.self)
    let limits = FormBody.Limits(fields: 4_096, file: 8_192, files: 16_384, parts: 20)
    let body = UnsafeRawBufferPointer(rebasing: input[end...])
    let whole = form(body, type, limits, piece: max(body.count, 1))
    let pieces = form(body, type, limits, piece: 7)
    precondition(whole == pieces, "A form depends on the pieces in which it arrives.")
    return 0
}

/// The form in pieces of one size, as a text; nil if it is rejected.
private func form(_ body: UnsafeRawBufferPointer, _ type: String, _ limits: FormBody.Limits, piece: Int) -> String? {
    guard var reader = MultipartReader(contentType: type, limits: limits) else { return nil }
    for start in stride(from: 0, to: body.count, by: piece) {
        reader.read(UnsafeRawBufferPointer(rebasing: body[start..<min(start + piece, body.count)]))
        precondition(reader.keptBytes <= limits.file + 10_000 + 2 * piece, "More bytes are kept than the limits allow.")
    }
    guard let form = try? reader.finish() else { return nil }
    let fields = form.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let files = form.files.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.name) \($0.value.data.count)" }
    return (fields + files + [form.oversizedFile ?? ""]).joined(separator: "\n")
}
