// A subentity of dogs.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class TestPuppy: TestDog {}
