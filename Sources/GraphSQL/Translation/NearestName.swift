// Suggests a name in place of one that does not exist. Used for error messages only.

/// Finds the name that a misspelled one may stand for.
package enum NearestName {
    /// The candidate with the smallest edit distance to `name`, if it is close enough to be a slip.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        // A name of hundreds of letters is not a typing error, and untrusted input may contain one.
        guard name.utf8.count <= 200 else { return nil }
        let letters = Array(name.lowercased())
        var best: (name: String, distance: Int)?
        for candidate in candidates.sorted() {
            let distance = distance(letters, Array(candidate.lowercased()))
            if distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(2, letters.count / 2) else { return nil }
        return best.name
    }

    /// Insertions, deletions, substitutions and swaps of neighbours that lead from one to the other.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in 1...left.count {
            var row = [i] + Array(repeating: 0, count: right.count)
            for j in 1...right.count {
                let cost = left[i - 1] == right[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
