// The user's folders by Apple's names for other platforms. Those that a system lacks may have to be created.
#if !canImport(ObjectiveC)
    import Foundation

    extension URL {
        /// The user's documents.
        public static var documentsDirectory: URL { folder(.documentDirectory) }
        /// The data of the user's applications, `~/.local/share` on Linux.
        public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
        /// Files that can be made again, `~/.cache` on Linux.
        public static var cachesDirectory: URL { folder(.cachesDirectory) }
        /// The data of the user's applications: other platforms have no library around them.
        public static var libraryDirectory: URL { folder(.applicationSupportDirectory) }
        /// The user's desktop.
        public static var desktopDirectory: URL { folder(.desktopDirectory) }
        /// The user's downloads.
        public static var downloadsDirectory: URL { folder(.downloadsDirectory) }
        /// The user's films.
        public static var moviesDirectory: URL { folder(.moviesDirectory) }
        /// The user's music.
        public static var musicDirectory: URL { folder(.musicDirectory) }
        /// The user's pictures.
        public static var picturesDirectory: URL { folder(.picturesDirectory) }

        /// A folder of the user; the home directory if the system has no such folder.
        private static func folder(_ kind: FileManager.SearchPathDirectory) -> URL {
            FileManager.default.urls(for: kind, in: .userDomainMask).first ?? homeDirectory
        }
    }
#endif
