// Serves the pictures of forms, each at its own address. Called by ScreenResponder. Pictures are untrusted input: the
// content type is detected from the bytes, and they may neither load nor run anything.
import Foundation
import HTTPTypes
import Hummingbird

extension ScreenResponder {
    /// The query key that names an image field; the next one names a kept file.
    static let pictureKey = "-picture"
    static let keptKey = "-kept"
    static let stampKey = "-stamp"

    /// Returns the picture of a form's field, or a kept file of a rejected form.
    func picture(_ requestContext: RequestContext, _ request: Request) async throws -> Response {
        let data: Data?
        if let token = requestContext.query[Self.keptKey] {
            data = kept.file(token)?.data
        } else {
            let name = requestContext.query[Self.pictureKey]
            let find = { @Sendable (turn: ApplicationStore.Turn) throws -> Data? in
                let page = try requestContext.screen.page(at: requestContext.place(turn))
                guard case .form(let form) = page.content,
                    case .picture(let data)? = form.fields.first(where: { $0.name == name })?.kind
                else { return nil }
                return data
            }
            if requestContext.screen is any DraftScreen, let browser = requestContext.browser,
                let draft = requestContext.store.drafts.find(
                    Draft.Key(browser: browser, address: requestContext.address)
                )
            {
                data = try await requestContext.store.perform(in: draft, find)
            } else {
                data = try await requestContext.store.perform(find)
            }
        }
        guard let data, let format = Picture.format(of: data) else { throw ScreenError.notFound }
        let stamp = PictureStamp.text(data)
        var headers = HTTPFields()
        headers[.contentType] = format.rawValue
        headers[.xContentTypeOptions] = "nosniff"
        // Inline styles are for the browser's own page around a picture that is opened directly.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        headers[.eTag] = "\"\(stamp)\""
        // An address with the content's stamp is immutable; any other must be revalidated.
        headers[.cacheControl] =
            requestContext.query[Self.stampKey] == stamp ? "private, max-age=31536000, immutable" : "private, no-cache"
        if request.headers[.ifNoneMatch] == headers[.eTag] { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}

extension RequestContext {
    /// Returns the address of the picture in a field of this screen; nil if there is none.
    func address(ofPicture field: String, stamp: String) -> String? {
        guard !stamp.isEmpty else { return nil }
        return address(with: [(ScreenResponder.pictureKey, field), (ScreenResponder.stampKey, stamp)])
    }
}
