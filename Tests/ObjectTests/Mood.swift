// An enumeration that an attribute stores as its raw value. Used by MoodyTask.

/// An enumeration stored as a text.
enum Mood: String, CaseIterable { case calm, angry }
