// Writes `VersionInfo.plist`, which names the versions of a compiled model.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import ManagedGraph

/// The description of the versions in a `.momd`.
enum VersionInformation {
    /// `VersionInfo.plist` as Xcode's compiler writes it.
    static func list(of versions: [ModelOutput.Version], current: String) throws -> Data {
        let hashes = versions.map { ($0.name, $0.model.versionHashes()) }
        let checksums = versions.map { ($0.name, $0.model.versionChecksum()) }
        var list: [String: Any] = [
            VersionInfoKey.hashes: Dictionary(hashes) { first, _ in first },
            VersionInfoKey.checksums: Dictionary(checksums) { first, _ in first },
        ]
        if versions.count > 1 { list[VersionInfoKey.currentName] = current }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
}
