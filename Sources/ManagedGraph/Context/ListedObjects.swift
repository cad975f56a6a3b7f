// The sets that insertedObjects, updatedObjects and deletedObjects return, kept while an event lasts, so that a program that
// asks in a loop pays for a look at each object, not for a set of them. Held by a context.

/// The latest sets of changed objects.
struct ListedObjects {
    /// The members of a list that a set was made of.
    struct Answer {
        private var members: ContiguousArray<NSManagedObject> = []
        private var set: Set<NSManagedObject> = []
        /// The number of objects that were entered into sets so far, for tests of costs.
        private(set) var steps = 0

        /// The set of the objects of a list that satisfy a condition; those that have joined since are entered alone.
        mutating func set(
            of list: ContiguousArray<NSManagedObject>,
            where isMember: (NSManagedObject) -> Bool
        ) -> Set<NSManagedObject> {
            var place = 0
            var isSame = true
            var joined: ContiguousArray<NSManagedObject> = []
            list.forEachUncounted { object in
                guard isMember(object) else { return }
                if place < members.count {
                    if isSame, members[place] !== object { isSame = false }
                } else {
                    joined.append(object)
                }
                place += 1
            }
            if !isSame || place < members.count {
                joined = list.filter(isMember)
                members = []
                set = []
            }
            members.append(contentsOf: joined)
            set.formUnion(joined)
            steps += joined.count
            return set
        }

        mutating func forget() {
            members = []
            set = []
        }
    }

    var inserted = Answer()
    var updated = Answer()
    var deleted = Answer()

    /// Releases the objects.
    mutating func forget() {
        inserted.forget()
        updated.forget()
        deleted.forget()
    }
}
