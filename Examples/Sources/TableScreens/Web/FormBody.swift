// A sent form as values: its fields and files. Made by FormBody+Reading and MultipartReader, read by ScreenResponder.
import Foundation

/// The fields and files of a form.
struct FormBody: Sendable {
    /// How much of a form is kept; the rest is read and thrown away.
    struct Limits: Sendable {
        /// The bytes of all fields together; above what one field may hold, so that the field's own message is told.
        var fields = 4 * 1024 * 1024
        /// The bytes of one file.
        var file = 10 * 1024 * 1024
        /// The bytes of all files together.
        var files = 20 * 1024 * 1024
        /// The number of fields and files.
        var parts = 200

        static let usual = Limits()
    }

    /// A file that a person chose.
    struct File: Sendable, Equatable {
        /// The name that it has on the person's machine; never used as a path.
        var name: String
        var data: Data
    }

    /// Why a form is not taken.
    enum Problem: Error, Equatable {
        case unreadable
        case fieldsTooLarge
    }

    var fields: [String: String] = [:]
    var files: [String: File] = [:]
    /// The first file that did not fit, by its name; the form is whole but for it.
    var oversizedFile: String?
}
