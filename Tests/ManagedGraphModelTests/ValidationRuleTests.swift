import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite("The model's rules for values")
struct ValidationRuleTests {
    /// Keeps the models alive during the test, as programs do: messages name a property's entity.
    private final class Models {
        var kept: [NSManagedObjectModel] = []
    }
    private let models = Models()

    private func validator(
        _ type: NSAttributeType,
        optional: Bool = true,
        _ rules: [(format: String, warning: Any)] = []
    ) -> PropertyValidator {
        let attribute = NSAttributeDescription("value", type, optional: optional)
        attribute.setValidationPredicates(
            rules.map { NSPredicate(format: $0.format) },
            withValidationWarnings: rules.map(\.warning)
        )
        return validator(attribute)
    }

    private func validator(_ property: NSPropertyDescription) -> PropertyValidator {
        models.kept.append(NSManagedObjectModel([NSEntityDescription("Task", [property])]))
        return PropertyValidator(property)
    }

    @Test("A missing required value gives 1570 with key, object and NSNull")
    func required() throws {
        let rules = validator(.stringAttributeType, optional: false)
        #expect(rules.hasRules)
        #expect(rules.isOnlyRequired)
        let error = try #require(rules.error(for: nil, of: "the object"))
        expectEqual(error.code, NSValidationMissingMandatoryPropertyError)
        expectEqual(error.localizedDescription, "Task.value is required")
        expectEqual(error.userInfo[NSValidationKeyErrorKey] as? String, "value")
        expectEqual(error.userInfo[NSValidationObjectErrorKey] as? String, "the object")
        #expect(error.userInfo[NSValidationValueErrorKey] is NSNull)
        expectEqual(rules.error(for: NSNull(), of: nil)?.code, 1570)
        expectNil(rules.error(for: "", of: nil))
        expectNil(rules.presenceError(isPresent: true, of: nil))
    }

    @Test("An optional value without predicates has no rules")
    func free() {
        let rules = validator(.stringAttributeType)
        #expect(!rules.hasRules)
        expectNil(rules.error(for: nil, of: nil))
    }

    @Test(
        "Limits report the code that the model gives",
        arguments: [
            ("SELF <= 3", 1610, 4, 3), ("SELF >= 1", 1620, 0, 1), ("SELF <= 3 AND SELF != 2", 1550, 2, 3),
        ]
    )
    func numbers(format: String, code: Int, bad: Int, good: Int) {
        let rules = validator(.integer16AttributeType, [(format, NSNumber(value: code))])
        expectEqual(rules.error(for: bad, of: nil)?.code, code)
        expectNil(rules.error(for: NSNumber(value: good), of: nil))
        expectNil(rules.error(for: nil, of: nil))
    }

    @Test("Texts are measured in UTF-16 units and matched whole")
    func texts() {
        let rules = validator(
            .stringAttributeType,
            [("length >= 2", 1670), ("length <= 4", 1660), ("SELF MATCHES \"[a-z🙂]*\"", 1680)]
        )
        expectNil(rules.error(for: "abc", of: nil))
        expectEqual(rules.error(for: "a", of: nil)?.code, 1670)
        expectEqual(rules.error(for: "abcde", of: nil)?.code, 1660)
        expectEqual(rules.error(for: "aB", of: nil)?.code, 1680)
        expectNil(rules.error(for: "🙂🙂", of: nil))
        expectEqual(rules.error(for: "🙂🙂a", of: nil)?.code, 1660)
        expectEqual(rules.error(for: "ABCDE", of: nil)?.code, 1560)
    }

    @Test("Dates between limits, as Xcode writes them")
    func dates() {
        let rules = validator(
            .dateAttributeType,
            [("SELF >= CAST(1000.000000, \"NSDate\")", 1640), ("SELF <= CAST(2000.000000, \"NSDate\")", 1630)]
        )
        expectNil(rules.error(for: Date(timeIntervalSinceReferenceDate: 1500), of: nil))
        expectEqual(rules.error(for: Date(timeIntervalSinceReferenceDate: 999), of: nil)?.code, 1640)
        expectEqual(rules.error(for: Date(timeIntervalSinceReferenceDate: 2001), of: nil)?.code, 1630)
    }

    @Test("A predicate's own message is the error's description, with code 1550")
    func ownText() {
        let rules = validator(.integer16AttributeType, [("SELF < 10", "Ten is too many")])
        let error = rules.error(for: 10, of: nil)
        expectEqual(error?.code, NSManagedObjectValidationError)
        expectEqual(error?.localizedDescription, "Ten is too many")
        #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
    }

    @Test("A number outside its type's range, and a value of another type, are refused")
    func types() {
        let small = validator(.integer16AttributeType)
        expectEqual(small.error(for: 40_000, of: nil)?.code, NSValidationNumberTooLargeError)
        expectEqual(small.error(for: -40_000, of: nil)?.code, NSValidationNumberTooSmallError)
        expectNil(validator(.integer32AttributeType).error(for: 40_000, of: nil))
        let error = small.error(for: "seven", of: nil)
        expectEqual(error?.code, NSManagedObjectValidationError)
        expectEqual(
            error?.localizedDescription,
            "Task.value cannot hold a value of type String: the model says Integer 16 (NSNumber or Int16)"
        )
    }

    @Test("A relationship's object counts are checked; an empty optional one is valid")
    func counts() {
        let destination = NSEntityDescription("Other")
        let relationship = NSRelationshipDescription("others", to: destination, toMany: true)
        relationship.minCount = 2
        relationship.maxCount = 3
        let rules = validator(relationship)
        expectNil(rules.error(for: Set<Int>(), of: nil))
        expectEqual(rules.error(for: NSSet(array: [1]), of: nil)?.code, 1580)
        expectNil(rules.error(for: NSSet(array: [1, 2]), of: nil))
        expectEqual(rules.error(for: NSOrderedSet(array: [1, 2, 3, 4]), of: nil)?.code, 1590)
        relationship.isOptional = false
        expectEqual(PropertyValidator(relationship).error(for: NSSet(), of: nil)?.code, 1580)
        relationship.minCount = 0
        expectNil(PropertyValidator(relationship).error(for: NSSet(), of: nil), "0 is not a minimum")
        expectNil(PropertyValidator(relationship).error(for: nil, of: nil))
    }

    @Test("Messages use the model's own names for properties")
    func localization() {
        let attribute = NSAttributeDescription("text", optional: false)
        let model = NSManagedObjectModel([NSEntityDescription("Task", [attribute])])
        model.localizationDictionary = ["Property/text/Entity/Task": "The title"]
        expectEqual(
            PropertyValidator(attribute).error(for: nil, of: nil)?.localizedDescription,
            "The title is required"
        )
    }

    @Test("A derived attribute is not validated, as the store computes it")
    func derived() {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = "count"
        attribute.isOptional = false
        attribute.attributeType = .integer64AttributeType
        #expect(!validator(attribute).hasRules)
    }
}
