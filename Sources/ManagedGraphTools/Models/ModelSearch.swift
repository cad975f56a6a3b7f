// Finds files of given kinds below a folder. Used by the check of models and by the search for a store's version.
import Foundation
import ManagedGraph

enum ModelSearch {
    /// The paths of files and folders with one of these extensions below a folder, sorted; hidden folders are skipped,
    /// and matching folders are not searched.
    ///
    /// O(n log n) in the number of files in the folder.
    static func paths(in folder: URL, kinds: [String]) -> [String] {
        guard let enumerator = FileManager.default.enumerator(atPath: folder.path.isEmpty ? "." : folder.path) else {
            return []
        }
        var result: [String] = []
        while let path = enumerator.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name.hasPrefix(".") {
                enumerator.skipDescendants()
            } else if kinds.contains((name as NSString).pathExtension) {
                result.append(path)
                enumerator.skipDescendants()
            }
        }
        return result.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }
}
