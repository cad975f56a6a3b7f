// A small model created in code, for the tests of this folder.
import Foundation
import GraphSupport
import ManagedGraph

enum Made {
    /// Person (name, to-one home), its subentity Employee (salary), and Place (name, to-many people).
    static func people() -> NSManagedObjectModel {
        let place = NSEntityDescription("Place", [NSAttributeDescription("name")])
        let person = NSEntityDescription("Person", [NSAttributeDescription("name", optional: false)])
        let employee = NSEntityDescription("Employee", [NSAttributeDescription("salary", .decimalAttributeType)])
        person.isAbstract = true
        person.subentities = [employee]
        person.relate("home", to: place, "people", inverseToMany: true)
        return NSManagedObjectModel([person, employee, place])
    }
}
