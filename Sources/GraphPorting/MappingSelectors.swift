// The selectors of the policy methods that mapping models call. Used by PortingFolder.
import Foundation
import GraphArchives
import GraphModelFiles

package enum MappingSelectors {
    /// The selectors in `FUNCTION($entityPolicy, "colorFor:", …)`.
    ///
    /// - Parameter models: Mapping models; unreadable ones are ignored.
    /// - Returns: The selectors.
    static func all(in models: [String]) -> Set<String> {
        var result: Set<String> = []
        for model in models {
            guard let mapping = try? MappingReader.read(at: URL(fileURLWithPath: model)) else { continue }
            for property in mapping.entities.flatMap({ $0.attributes + $0.relationships }) {
                if let archive = property.expression { result.formUnion(selectors(in: archive)) }
            }
        }
        return result
    }

    /// The selectors in the keyed archive of an expression that refers to the policy.
    package static func selectors(in archive: Data) -> Set<String> {
        let list = PropertyList.read(archive) as? [String: Any]
        let objects = list?["$objects"] as? [Any] ?? []
        guard objects.contains(where: { $0 as? String == "entityPolicy" }) else { return [] }
        // The archive also holds the selectors of predicate functions; no policy declares these.
        return Set(
            objects.compactMap { object in
                let name = (object as? [String: Any])?["NSSelectorName"] as? [String: Any]
                guard let place = (name?["CF$UID"] as? NSNumber)?.intValue, objects.indices.contains(place) else {
                    return nil
                }
                return objects[place] as? String
            }
        )
    }
}
