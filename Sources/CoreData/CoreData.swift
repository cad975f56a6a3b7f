// The drop-in name: `import CoreData` compiles unchanged off Apple.
@_exported import ManagedGraph
