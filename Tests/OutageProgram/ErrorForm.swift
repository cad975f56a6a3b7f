// The form that errors must have if something of the system fails. Used by FailingCalls.
import Foundation
import GraphModelling

/// The form of errors: one of Apple's codes, a cause and a remedy.
enum ErrorForm {
    /// The flaw of an error's form; nil if it has none.
    ///
    /// Only `ModelSessionError` has no code of Apple's: its own codes distinguish more than those of files, and Apple has no
    /// library that edits models.
    static func flaw(_ error: any Error) -> String? {
        if !(error is ModelSessionError), (error as NSError).domain != NSCocoaErrorDomain {
            return "an error of another domain: \(error)"
        }
        let error = error as NSError
        let text = "\(error.code) \(error.localizedDescription)"
        if error.localizedDescription.count < 20 { return "no cause: \(text)" }
        guard let remedy = error.localizedRecoverySuggestion, !remedy.isEmpty else { return "no remedy: \(text)" }
        if error.code == CocoaError.Code.fileReadCorruptFile.rawValue || remedy.contains("damaged") {
            return "a failing system is not a damaged file: \(text) \(remedy)"
        }
        return nil
    }
}
