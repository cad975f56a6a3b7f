// The texts of the fetches translated so far, by shape. Used by FetchTranslator only.
import GraphEngine
import Synchronization

/// Recipes by the key of their shape, for any thread.
final class TranslationCache: Sendable {
    private struct State {
        var recipes: [ShapeKey: TranslationRecipe] = [:]
        var hits = 0
        var misses = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var counts: (hits: Int, misses: Int) { state.withLock { ($0.hits, $0.misses) } }

    subscript(key: ShapeKey) -> TranslationRecipe? {
        get {
            state.withLock { state in
                let recipe = state.recipes[key]
                if recipe == nil { state.misses += 1 } else { state.hits += 1 }
                return recipe
            }
        }
        set {
            state.withLock { state in
                // Programs have few shapes; one that makes them without end must not fill the memory.
                if state.recipes.count >= capacity { state.recipes.removeAll(keepingCapacity: true) }
                state.recipes[key] = newValue
            }
        }
    }
}
