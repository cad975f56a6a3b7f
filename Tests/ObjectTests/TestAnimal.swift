// The class of an abstract parent entity. Used by EntityInheritance.
import Foundation
import ManagedGraph

class TestAnimal: NSManagedObject {}
