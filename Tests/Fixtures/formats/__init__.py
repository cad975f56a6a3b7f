"""Writers of Core Data's file formats, made from Documentation/FileFormats.md and independent of the Swift code."""
