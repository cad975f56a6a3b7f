// Applies a change to the list and reports it to the delegate and the consumers of differences. Outside Apple's
// platforms, the delegate's methods can only be discovered by calling them. Until they are known, a frozen copy of the
// old list is kept for readers that must still see it.

extension ResultsTracker {
    /// Applies a step and reports it.
    func deliver(_ step: ResultsStep, _ list: SectionedList, _ configuration: ResultsConfiguration) {
        guard let controller, let delegate else {
            _ = apply(step, list)
            return
        }
        let report = ChangeReport(controller: controller, delegate: delegate)
        let mayTakeSnapshot = !missingMethods.contains(.snapshot)
        let mayTakeDifference = configuration.sectionNameKeyPath == nil && !missingMethods.contains(.difference)
        // A delegate without any method for changes continues to see the results it fetched.
        let old = shown ?? (knownMethods.isDisjoint(with: .changes) ? list.frozenCopy() : nil)
        let batch: ResultsBatch
        if mayTakeSnapshot || mayTakeDifference {
            batch = apply(step, list)
            show(nil)
            // If the delegate has the snapshot method, only that is called; the same goes for the difference method.
            if mayTakeSnapshot {
                report.snapshot(
                    self.list ?? list,
                    changed: batch.changes.changedObjects.map(deliveredID),
                    deliveredIDs: temporary.mapValues(\.id)
                )
                if knownMethods.contains(.snapshot) || self.delegate !== delegate { return }
            }
            if mayTakeDifference {
                report.difference(batch.difference)
                if knownMethods.contains(.difference) || self.delegate !== delegate { return }
            }
            show(old)
            report.willChange()
            show(nil)
        } else {
            let version = version
            report.willChange()
            // If the delegate has fetched again, the new results include the change.
            guard self.list === list, self.version == version else { return report.didChange() }
            batch = apply(step, list)
            show(nil)
        }
        report.sections(batch.changes)
        report.objects(batch.changes)
        report.didChange()
        guard self.delegate === delegate, knownMethods.isDisjoint(with: .changes), !hasConsumers else { return }
        show(old)
        updateFollowing()
    }

    /// Reports that temporary IDs have become permanent.
    func deliverIdentifiers() {
        guard let list, wantsIdentifiers else {
            temporary = [:]
            return
        }
        let renamed = renamedObjects().compactMap { change -> RenamedObject? in
            var change = change
            guard let to = list.position(of: change.object) else { return nil }
            change.to = to
            return change
        }
        if renamed.isEmpty { return noteTemporary(EmptyCollection()) }
        let difference = FetchedResultsDifference(ListChanges(), renamed: renamed, id: deliveredID)
        forget(renamed)
        broadcastIfNeeded(difference)
        guard let controller, let delegate else { return }
        let report = ChangeReport(controller: controller, delegate: delegate)
        report.snapshot(list, changed: [], deliveredIDs: temporary.mapValues(\.id))
        guard !knownMethods.contains(.snapshot), configuration?.sectionNameKeyPath == nil else { return }
        report.difference(difference)
    }

    private func show(_ list: FrozenList?) {
        guard shown !== list else { return }
        shown = list
        version += 1
    }

    /// Changes the list and sends the difference to consumers.
    private func apply(_ step: ResultsStep, _ list: SectionedList) -> ResultsBatch {
        let wantsIdentifiers = wantsIdentifiers
        var renamed = wantsIdentifiers ? renamedObjects() : []
        let changes: ListChanges
        switch step {
        case .plan(let plan): changes = list.apply(plan)
        case .replacement(let newList, let listChanges):
            changes = listChanges
            self.list = newList
        }
        version += 1
        let batch: ResultsBatch
        if wantsIdentifiers {
            renamed = renamed.compactMap { change in
                var change = change
                guard let to = self.list?.position(of: change.object) else { return nil }
                change.to = to
                return change
            }
            // An ID can become permanent at any time, so record the ID that is delivered.
            noteTemporary(changes.inserted.lazy.map(\.object))
            batch = ResultsBatch(
                changes: changes,
                difference: FetchedResultsDifference(changes, renamed: renamed, id: deliveredID)
            )
            forget(renamed)
            for (object, _) in changes.deleted { temporary[ObjectIdentifier(object)] = nil }
            broadcastIfNeeded(batch.difference)
        } else {
            batch = ResultsBatch(changes: changes, difference: FetchedResultsDifference())
        }
        return batch
    }

    /// Objects whose delivered ID is outdated, with their positions.
    private func renamedObjects() -> [RenamedObject] {
        temporary.values.compactMap { object, id in
            let newID = object.objectID
            guard !newID.isTemporaryID, let from = list?.position(of: object) else { return nil }
            return RenamedObject(object: object, oldID: id, newID: newID, from: from, to: from)
        }
    }

    private func forget(_ renamed: [RenamedObject]) {
        for change in renamed { temporary[ObjectIdentifier(change.object)] = nil }
    }

    private func broadcastIfNeeded(_ difference: FetchedResultsDifference) {
        if hasConsumers { broadcast.send(difference) }
    }
}

/// The changes of a list, in both forms.
struct ResultsBatch {
    let changes: ListChanges
    /// Empty if object IDs are not needed.
    let difference: FetchedResultsDifference
}

extension ListChanges {
    /// The objects that were moved or updated.
    var changedObjects: [NSManagedObject] { moved.map(\.object) + updated.map(\.object) }
}
