// Finds the screen for a path. A component of a screen's path that begins with ":" matches any component.

struct Router: Sendable {
    private let routes: [(pattern: [String], screen: any Screen)]

    init(_ screens: [any Screen]) {
        routes = screens.map { (Address.components($0.path), $0) }
    }

    func find(_ path: [String]) -> (screen: any Screen, parameters: [String: String])? {
        for (pattern, screen) in routes where pattern.count == path.count {
            var parameters: [String: String] = [:]
            let fits = zip(pattern, path).allSatisfy { expected, actual in
                guard expected.hasPrefix(":") else { return expected == actual }
                parameters[String(expected.dropFirst())] = actual
                return true
            }
            if fits { return (screen, parameters) }
        }
        return nil
    }
}
