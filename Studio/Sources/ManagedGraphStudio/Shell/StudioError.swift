// Errors of the studio's routes, and the JSON in which the pages read errors: {"error": {"message": …}}.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird

/// An error that a page shows, with its reason and its remedy.
struct StudioError: Error, Encodable {
    var message: String
    var reason: String?
    var remedy: String?
    /// The code of the library's error.
    var code: Int?
    /// The place in a text, from 0, that the error is about.
    var place: Int?
    var status: HTTPResponse.Status

    private enum CodingKeys: String, CodingKey {
        case message, reason, remedy, code, place
    }

    init(
        _ message: String,
        reason: String? = nil,
        remedy: String? = nil,
        code: Int? = nil,
        place: Int? = nil,
        status: HTTPResponse.Status = .badRequest
    ) {
        self.message = message
        self.reason = reason
        self.remedy = remedy
        self.code = code
        self.place = place
        self.status = status
    }

    /// Describes any error.
    init(_ error: any Error) {
        switch error {
        case let error as StudioError:
            self = error
        case let error as HTTPError:
            self.init(error.body ?? "The request cannot be answered.", status: error.status)
        case let error as DecodingError:
            self.init("The request is not complete: \(Self.text(error))", status: .badRequest)
        default:
            let error = error as NSError
            let reason = error.localizedFailureReason ?? error.userInfo["reason"] as? String
            let message = error.localizedDescription
            self.init(
                message,
                reason: reason.flatMap { message.contains($0) ? nil : $0 },
                remedy: error.localizedRecoverySuggestion.flatMap { message.contains($0) ? nil : $0 },
                code: error.code,
                status: .unprocessableContent
            )
        }
    }

    private static func text(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription
        @unknown default: "it cannot be read."
        }
    }

    var response: Response {
        let data = (try? JSONEncoder().encode(["error": self])) ?? Data()
        return .json(String(decoding: data, as: UTF8.self), status: status)
    }
}
