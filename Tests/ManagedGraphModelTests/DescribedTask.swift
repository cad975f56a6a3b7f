// A class of managed objects whose name is asked. Used by EntityTests.
import ManagedGraph

final class DescribedTask: NSManagedObject {
    final class Nested: NSManagedObject {}
}
