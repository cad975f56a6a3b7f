// Subentities, with abstract parents, and relationships within one entity.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

class TestAnimal: NSManagedObject {}
