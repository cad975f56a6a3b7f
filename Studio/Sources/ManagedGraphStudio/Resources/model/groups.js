// Groups of entities, and their hues. The user info key “group” names the group; without it, the entities of one inheritance
// tree belong together.
"use strict";

export class Groups {
    static hues = 6;

    constructor(entities) {
        const byName = new Map(entities.map((entity) => [entity.name, entity]));
        const hasChildren = new Set(entities.map(({ superentity }) => superentity).filter(Boolean));
        this.byEntity = new Map();
        for (const entity of entities) {
            let root = entity;
            const seen = new Set();
            while (!root.userInfo.group && byName.has(root.superentity) && !seen.has(root.name)) {
                seen.add(root.name);
                root = byName.get(root.superentity);
            }
            const isTree = root !== entity || hasChildren.has(entity.name);
            this.byEntity.set(entity.name, root.userInfo.group || (isTree ? root.name : ""));
        }
        this.names = [...new Set(this.byEntity.values())].filter(Boolean).sort((one, other) => one.localeCompare(other));
    }

    of(entity) {
        return this.byEntity.get(entity.name) ?? "";
    }

    /** The number of the group's hue; 0 for none. */
    hue(entity) {
        const place = this.names.indexOf(this.of(entity));
        return place < 0 ? 0 : (place % Groups.hues) + 1;
    }
}
