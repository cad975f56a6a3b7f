// Models without the classes of the programs they belong to.
import GraphModel

extension Model {
    /// The model without the names of classes, which belong to other programs.
    package var withoutClasses: Model {
        var model = self
        for index in model.entities.indices { model.entities[index].className = nil }
        return model
    }
}
