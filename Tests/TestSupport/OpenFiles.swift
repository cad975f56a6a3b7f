// The files that the process has open. Used by tests of descriptors, which only Linux lists.
#if os(Linux)
    import Foundation

    /// The descriptors of the process.
    package enum OpenFiles {
        /// The paths of open files; that of a file without a name ends with ` (deleted)`.
        package static func paths() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
        }
    }
#endif
