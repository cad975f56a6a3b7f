// Subentities, with abstract parents, and relationships within one entity. Beside `TestAnimal`.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class TestPuppy: TestDog {}
