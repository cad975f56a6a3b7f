// The part of Apple's framework that `import CoreData.CoreDataDefines` names. Swift modules have no parts of their own; a part of
// a C module with the same name brings the Swift module in. The declarations are all in Swift.
