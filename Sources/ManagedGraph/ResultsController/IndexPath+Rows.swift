// The IndexPath members of UIKit and AppKit, for platforms without them.
#if !canImport(UIKit) && !canImport(AppKit)
    import Foundation

    extension IndexPath {
        /// Makes the path of a row in a section.
        ///
        /// - Parameters:
        ///   - row: The row in the section, from 0.
        ///   - section: The section, from 0.
        public init(row: Int, section: Int) {
            self.init(indexes: [section, row])
        }

        /// Makes the path of an item in a section.
        ///
        /// - Parameters:
        ///   - item: The item in the section, from 0.
        ///   - section: The section, from 0.
        public init(item: Int, section: Int) {
            self.init(indexes: [section, item])
        }

        /// The section: the first index.
        public var section: Int {
            get { self[0] }
            set { self[0] = newValue }
        }

        /// The row in the section: the second index.
        public var row: Int {
            get { self[1] }
            set { self[1] = newValue }
        }

        /// The item in the section: the second index.
        public var item: Int {
            get { self[1] }
            set { self[1] = newValue }
        }
    }

    extension NSIndexPath {
        /// Makes the path of a row in a section.
        ///
        /// - Parameters:
        ///   - row: The row in the section, from 0.
        ///   - section: The section, from 0.
        public convenience init(row: Int, section: Int) {
            self.init(indexes: [section, row], length: 2)
        }

        /// Makes the path of an item in a section.
        ///
        /// - Parameters:
        ///   - item: The item in the section, from 0.
        ///   - section: The section, from 0.
        public convenience init(item: Int, section: Int) {
            self.init(indexes: [section, item], length: 2)
        }

        /// The section: the first index.
        public var section: Int { index(atPosition: 0) }

        /// The row in the section: the second index.
        public var row: Int { index(atPosition: 1) }

        /// The item in the section: the second index.
        public var item: Int { index(atPosition: 1) }
    }
#endif
