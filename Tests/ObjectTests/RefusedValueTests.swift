// Values from outside that the model cannot hold: objects keep them, the save reports them, and nothing traps.
import Foundation
import Testing

@testable import ManagedGraph

/// An enumeration stored as a text.
enum Mood: String, CaseIterable { case calm, angry }
