// The listings of the articles of GraphPredicates.
import CoreData

func predicates() {
    let adult = NSPredicate(format: "age >= %d AND name BEGINSWITH[c] %@", 18, "a")
    adult.evaluate(with: ["age": 36, "name": "Ada"])  // true
    Guide.expect("a dictionary is judged", adult.evaluate(with: ["age": 36, "name": "Ada"]))
}

func formats() -> NSPredicate {
    let predicate = NSPredicate(format: "name CONTAINS[cd] %@ AND NOT (price BETWEEN {%d, %d})", "milk", 1, 3)
    return predicate
}

func swiftPredicates() -> NSPredicate? {
    let predicate = NSPredicate(#Predicate<Item> { $0.quantity > 10 && !$0.isDone })
    return predicate
}
