// A project's host, which the sections are made of: it follows the URL. The other properties come from the model.
import Foundation

extension Project {
    /// Sets the name and the URL, and with it the host.
    func set(name: String, url: String) {
        if self.name != name { self.name = name }
        guard self.url != url else { return }
        self.url = url
        host = Self.host(of: url)
    }

    /// What stands between the first two slashes and the next one; the URL itself where it has no such part.
    static func host(of url: String) -> String {
        guard let match = url.firstMatch(of: #/.*?//(.*?)/.*/#) else { return url }
        return String(match.1)
    }
}
