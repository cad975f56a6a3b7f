// Standard output, in large pieces. Beside `Output`.
import Foundation
import GraphArchives

/// The reader closed the output: the command ends silently.
struct OutputClosed: Error {}
