// A submitted form as values: its fields and files. Created by FormBody+Reading and MultipartReader, read by
// ScreenResponder.
import Foundation

/// The fields and files of a form.
struct FormBody: Sendable {
    /// The limits of a form; input beyond them is read and discarded.
    struct Limits: Sendable {
        /// The bytes of all fields together; exceeds the limit of a single field, so that the field can report its own
        /// error.
        var fields = 4 * 1024 * 1024
        /// The bytes of one file.
        var file = 10 * 1024 * 1024
        /// The bytes of all files together.
        var files = 20 * 1024 * 1024
        /// The number of fields and files.
        var parts = 200

        static let usual = Limits()
    }

    /// A file chosen by a person.
    struct File: Sendable, Equatable {
        /// The file name on the person's machine; never used as a path.
        var name: String
        var data: Data
    }

    /// The reason for rejecting a form.
    enum Problem: Error, Equatable {
        case unreadable
        case fieldsTooLarge
    }

    var fields: [String: String] = [:]
    var files: [String: File] = [:]
    /// The name of the first file above a limit; the rest of the form is complete.
    var oversizedFile: String?
}
