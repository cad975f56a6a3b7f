// A subentity of animals.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class TestCat: TestAnimal {}
