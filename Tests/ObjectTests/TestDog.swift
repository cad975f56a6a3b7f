// A subentity of animals that has one below it.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

class TestDog: TestAnimal {}
