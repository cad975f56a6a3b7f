// The fetch requests that a model stores.
import Foundation
import GraphPredicates

extension NSManagedObjectModel {
    /// The stored fetch requests by name.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        Dictionary(templates.map { ($0.name, $0.request) }) { _, last in last }
    }

    /// The stored fetch request with this name, with its variables unbound.
    ///
    /// Do not change it: other callers get the same request.
    ///
    /// - Parameter name: The name.
    /// - Returns: The request, or nil if there is none.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates.first { $0.name == name }?.request
    }

    /// Stores a fetch request under a name, or removes it.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: The request, or nil to remove it.
    ///   - name: The name.
    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?,
        forName name: String
    ) {
        requireEditable(isEditable, "fetch request template \(name)")
        templates.removeAll { $0.name == name }
        if let fetchRequestTemplate { templates.append((name, fetchRequestTemplate)) }
    }

    /// A copy of a stored fetch request whose variables are bound.
    ///
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - variables: A value for each `$VARIABLE` of its predicate; `NSNull` stands for nil.
    /// - Returns: A request ready to execute, or nil if there is no such template.
    public func fetchRequestFromTemplate(
        withName name: String,
        substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name),
            let request = template.copy() as? NSFetchRequest<any NSFetchRequestResult>
        else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        return request
    }
}
