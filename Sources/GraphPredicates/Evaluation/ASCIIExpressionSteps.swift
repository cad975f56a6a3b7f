// Converts the parser's tree to steps from one character to the next, a nondeterministic automaton. ASCIIExpression
// builds its table of states from them.

/// A regular expression as steps that each consume one byte of a set, or branch without consuming one.
struct ASCIIExpressionSteps {
    private static let maximumSteps = 600

    private enum Step {
        case take(ASCIISet, Int)
        case either(Int, Int)
        case end
    }

    private var steps: [Step] = []
    /// The accepting step.
    private(set) var end = 0

    /// Lays out an expression; nil if it has too many steps.
    init?(_ tree: ASCIIExpressionTree) {
        // Step 0 is the entry.
        steps.append(.end)
        guard let exit = place(tree, after: 0) else { return nil }
        end = exit
        steps[exit] = .end
    }

    /// Replaces the step `entry` by a part, and returns the step after the part, which is still open.
    private mutating func place(_ tree: ASCIIExpressionTree, after entry: Int) -> Int? {
        guard steps.count < Self.maximumSteps else { return nil }
        switch tree {
        case .set(let set):
            let exit = open()
            steps[entry] = .take(set, exit)
            return exit
        case .sequence(let parts):
            var place = entry
            for part in parts {
                guard let next = self.place(part, after: place) else { return nil }
                place = next
            }
            return place
        case .choice(let parts):
            let exit = open()
            var fork = entry
            for (index, part) in parts.enumerated() {
                let first = open()
                let second = index == parts.count - 1 ? first : open()
                steps[fork] = .either(first, second)
                guard let last = place(part, after: first) else { return nil }
                steps[last] = .either(exit, exit)
                fork = second
            }
            return exit
        case .repeated(let part, let least, let most):
            var place = entry
            for _ in 0..<least {
                guard let next = self.place(part, after: place) else { return nil }
                place = next
            }
            let exit = open()
            guard let most else {
                let first = open()
                steps[place] = .either(first, exit)
                guard let last = self.place(part, after: first) else { return nil }
                steps[last] = .either(place, place)
                return exit
            }
            for _ in least..<most {
                let first = open()
                steps[place] = .either(first, exit)
                guard let next = self.place(part, after: first) else { return nil }
                place = next
            }
            steps[place] = .either(exit, exit)
            return exit
        }
    }

    private mutating func open() -> Int {
        steps.append(.end)
        return steps.count - 1
    }

    /// The sets of bytes that steps consume.
    var sets: [ASCIISet] {
        var seen: Set<ASCIISet> = []
        for case .take(let set, _) in steps { seen.insert(set) }
        return Array(seen)
    }

    /// The consuming steps, and the end, that can be reached without consuming a byte.
    func closure(of start: [Int]) -> [Int] {
        var seen = Set(start)
        var open = start
        var result: [Int] = []
        while let step = open.popLast() {
            switch steps[step] {
            case .take, .end: result.append(step)
            case .either(let a, let b):
                if seen.insert(a).inserted { open.append(a) }
                if seen.insert(b).inserted { open.append(b) }
            }
        }
        return result.sorted()
    }

    /// The steps reached by consuming a byte.
    func advance(_ state: [Int], over byte: UInt8) -> [Int] {
        var reached: [Int] = []
        for step in state {
            if case .take(let set, let target) = steps[step], set.contains(byte) { reached.append(target) }
        }
        return closure(of: reached)
    }
}
