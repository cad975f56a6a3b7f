// A project's host, which names its section and follows the URL. The other properties are generated from the model.
import Foundation

extension Project {
    /// Sets the name and the URL, and derives the host from the URL.
    func set(name: String, url: String) {
        if self.name != name { self.name = name }
        guard self.url != url else { return }
        self.url = url
        host = Self.host(of: url)
    }

    /// Returns the text between the first two slashes and the next one, or the whole URL if it has no such part.
    static func host(of url: String) -> String {
        guard let match = url.firstMatch(of: #/.*?//(.*?)/.*/#) else { return url }
        return String(match.1)
    }
}
