// The error for standard output that its reader has closed.
import Foundation
import GraphArchives

/// The reader closed the output: the command ends silently.
struct OutputClosed: Error {}
