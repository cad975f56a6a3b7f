// Parts of a model as addresses name them, and after they were renamed. Used by model.js.
"use strict";

/** The part that the path of an address names. */
export function placeOf(path) {
    if (path[0] === "requests") return { request: path[1] };
    if (path[0] === "configurations") return { configuration: path[1] };
    // The palette of the shell names the entity alone.
    const [entity, property] = path[0] === "entities" ? path.slice(1) : path;
    return { entity, property };
}

/** The path that names a part. */
export function pathOf({ entity, property, request, configuration }) {
    if (request) return ["requests", request];
    if (configuration) return ["configurations", configuration];
    return entity ? ["entities", entity, property].filter(Boolean) : [];
}

/** The new name of a part, if it is the only one of the old names that is gone, and one name is new. */
function newName(name, before, after) {
    if (after.includes(name)) return name;
    const gone = before.filter((other) => !after.includes(other));
    const added = after.filter((other) => !before.includes(other));
    return gone.length === 1 && added.length === 1 && gone[0] === name ? added[0] : null;
}

/** The place of the same part after a change that may have renamed it, such as an undone renaming. */
export function followed(place, before, after) {
    const names = (entity) => entity?.properties.map(({ name }) => name) ?? [];
    if (place.request || place.configuration || !place.entity) return place;
    const entity = newName(place.entity, [...before.keys()], [...after.keys()]);
    if (!entity || !place.property) return { entity };
    return { entity, property: newName(place.property, names(before.get(place.entity)), names(after.get(entity))) };
}
