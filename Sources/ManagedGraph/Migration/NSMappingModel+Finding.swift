// Finds the mapping model between two versions by their hashes.
import Foundation
import GraphModel

extension NSMappingModel {
    /// The mapping model of the program between two models; nil where there is none.
    static func registered(from source: Model, to destination: Model) -> NSMappingModel? { nil }
}

extension StoreMigrator {
    func migrate(_ mapping: NSMappingModel, from source: Model) throws {}
}
