"""Archived expressions, predicates and sort descriptors. The pairs of formats and archives are in the models."""

from .archive import Boxed, Instance, Mutable

OPERATORS = {
    "<": ("Comparison", 0), "<=": ("Comparison", 1), ">": ("Comparison", 2), ">=": ("Comparison", 3),
    "==": ("Equality", 4), "!=": ("Equality", 5), "MATCHES": ("Matching", 6), "LIKE": ("Like", 7),
    "BEGINSWITH": ("Substring", 8), "ENDSWITH": ("Substring", 9), "IN": ("In", 10), "CONTAINS": ("In", 99),
    "BETWEEN": ("Between", 100),
}
MODIFIERS = {"": 0, "ALL": 1, "ANY": 2}
OPTIONS = {"": 0, "c": 1, "d": 2, "cd": 3}


def _expression(name, number, *bases, **keys):
    return Instance(name, (*bases, "NSExpression"), NSExpressionType=number, **keys)


def constant(value):
    return _expression("NSConstantValueExpression", 0, NSConstantValue=Boxed(value))


def itself():
    return _expression("NSSelfExpression", 1)


def variable(name):
    return _expression("NSVariableExpression", 2, NSVariable=name)


def key_path(path, of=None):
    """A path of the evaluated object, or of another expression."""
    return _expression(
        "NSKeyPathExpression",
        3 if of is None else 4,
        "NSFunctionExpression",
        NSOperand=of or itself(),
        NSSelectorName="valueForKeyPath:" if "." in path or path.startswith("@") or of else "valueForKey:",
        NSArguments=Mutable([_expression("NSKeyPathSpecifierExpression", 10, NSKeyPath=path)]),
    )


def function(selector, *arguments):
    """One of the functions of the predicate language."""
    utilities = _expression("NSConstantValueExpression", 0, NSConstantValueClassName="_NSPredicateUtilities")
    return call(utilities, selector, *arguments)


def call(target, selector, *arguments):
    return _expression(
        "NSFunctionExpression", 4, NSOperand=target, NSSelectorName=selector, NSArguments=Mutable(list(arguments))
    )


def aggregate(*members):
    return _expression("NSAggregateExpression", 14, NSCollection=list(members))


def fetch(request, context):
    """The request that a mapping model runs to find an entity mapping's source objects."""
    return _expression(
        "NSFetchRequestExpression", 50, NSFRExpression=request, NSMOCExpression=context, NSCountOnlyFlag=False
    )


def compare(left, operator, right, options="", modifier=""):
    family, number = OPERATORS[operator]
    keys = {"NSOperatorType": number, "NSModifier": MODIFIERS[modifier]}
    if family == "Equality":
        keys |= {"NSNegate": operator == "!=", "NSOptions": OPTIONS[options]}
    elif family == "Comparison":
        keys |= {"NSOptions": OPTIONS[options], "NSVariant": number}
    elif family != "Between":
        keys |= {"NSFlags": OPTIONS[options]}
    if family == "Substring":
        keys["NSPosition"] = 1 if operator == "ENDSWITH" else 0
    bases = ("NSStringPredicateOperator",) if family in ("Matching", "Like", "Substring") else ()
    return Instance(
        "NSComparisonPredicate",
        ("NSPredicate",),
        NSLeftExpression=left,
        NSRightExpression=right,
        NSPredicateOperator=Instance(f"NS{family}PredicateOperator", (*bases, "NSPredicateOperator"), **keys),
    )


def compound(kind, *members):
    """A compound predicate; the kinds are NOT, AND, OR."""
    number = ["NOT", "AND", "OR"].index(kind)
    return Instance(
        "NSCompoundPredicate", ("NSPredicate",), NSCompoundPredicateType=number, NSSubpredicates=list(members)
    )


def always(value):
    return Instance("NSTruePredicate" if value else "NSFalsePredicate", ("NSPredicate",))


def sort_descriptor(key, ascending=True, selector="compare:"):
    return Instance("NSSortDescriptor", NSKey=key, NSAscending=ascending, NSSelector=selector)
