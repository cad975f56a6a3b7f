// The folders that programs of one group share, and those of iCloud, by Apple's names for other platforms.
#if !canImport(ObjectiveC)
    import Foundation

    extension FileManager {
        /// The folder that the programs of a user share under the name of a group.
        ///
        /// It is `Group Containers/NAME` in the folder of the user's application data, and it is created.
        ///
        /// - Parameter groupIdentifier: The name of the group, such as `group.org.example.notes`.
        /// - Returns: The folder; nil if it cannot be created, or if the name cannot be that of a file.
        public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
            guard !groupIdentifier.isEmpty, !groupIdentifier.contains(where: { $0 == "/" || $0 == "\0" }),
                groupIdentifier != ".", groupIdentifier != ".."
            else { return nil }
            let folder = URL.applicationSupportDirectory.appendingPathComponent("Group Containers", isDirectory: true)
                .appendingPathComponent(groupIdentifier, isDirectory: true)
            do {
                try createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                return nil
            }
            return folder
        }

        /// The account of iCloud, which only Apple's platforms have: nil.
        public var ubiquityIdentityToken: (any NSObjectProtocol)? { nil }

        /// The folder of a container in iCloud, which only Apple's platforms have.
        ///
        /// - Parameter containerIdentifier: The name of the container.
        /// - Returns: Nil, as without an account.
        public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { nil }
    }
#endif
