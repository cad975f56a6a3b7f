// The section Model: the drawing of a model, its inspector and sidebar, and the consequences of changes. The session on the
// server holds all edits; this page shows its picture, and asks for the changed part after each edit.
"use strict";

import { announce, element, note } from "../shell/elements.js";
import { differenceList, showComparison } from "./compare.js";
import { showConsequences } from "./consequences.js";
import { Diagram } from "./diagram.js";
import { download, png, svgText } from "./export.js";
import { ask } from "./forms.js";
import { toFile } from "./geometry.js";
import { Groups } from "./groups.js";
import { Inspector } from "./inspector.js";
import { place as placeCards } from "./layout.js";
import { followed, pathOf, placeOf } from "./places.js";
import { queryText } from "./queries.js";
import { Sidebar } from "./sidebar.js";

const tabs = [["inspect", "Inspect"], ["versions", "Versions"], ["class", "Class"], ["sql", "SQL"]];

class Modeller {
    constructor(shell) {
        Object.assign(this, shell);
        this.kept = new Map();
        this.place = {};
        this.tab = tabs.some(([name]) => name === shell.query.get("show")) ? shell.query.get("show") : "inspect";
        this.isClosed = false;
        this.refreshed = () => document.visibilityState === "visible" && this.refresh();
        /** The changes in progress, which are sent one after another. */
        this.queue = Promise.resolve();
    }

    async open() {
        this.adopt(await this.api("picture"));
        this.build();
        await this.redraw(null);
        this.diagram.restore();
        this.select(placeOf(this.path), { reveal: true, isQuiet: true });
        this.addCommands();
        const { query } = this;
        if (query.get("from") && query.get("to")) await this.compare(query.get("from"), query.get("to"));
        // Another window may have changed the session, and another program the file.
        document.addEventListener("visibilitychange", this.refreshed);
        addEventListener("focus", this.refreshed);
    }

    /** Shows the changes of other windows. */
    refresh() {
        return this.change(() => this.api(`picture?since=${this.picture.revision}`)).catch(() => {});
    }

    leave() {
        this.isClosed = true;
        document.removeEventListener("visibilitychange", this.refreshed);
        removeEventListener("focus", this.refreshed);
        this.comparison?.leave();
        this.diagram?.close();
        document.getElementById("bar-place")?.replaceChildren();
    }

    go({ path, query }) {
        const tab = query.get("show") ?? "inspect";
        if (tabs.some(([name]) => name === tab)) this.tab = tab;
        const wanted = query.get("from") && query.get("to");
        if (wanted) this.compare(query.get("from"), query.get("to"));
        else if (this.comparison) this.endComparison();
        this.select(placeOf(path), { reveal: true, isQuiet: true });
    }

    // The page

    build() {
        this.main.classList.add("modeller");
        this.strip = element("div", { class: "strip model-strip" });
        this.notes = element("div", { class: "model-notes" });
        this.diagram = new Diagram({
            select: (entity, property) => this.select({ entity, property }),
            open: (entity, property) => this.openPart({ entity, property }),
            moved: (name) => this.moved(name),
            connect: (from, to) => this.connect(from, to),
            remove: (entity, property) => this.remove(property ? { entity, property } : { entity }),
        }, { isReadOnly: Boolean(this.picture.readOnlyReason), key: `model view ${this.source.id}` });
        this.drawing = element("div", { class: "model-drawing" });
        this.drawing.append(this.strip, this.notes, this.diagram.root);
        this.main.append(this.drawing);
        this.side = new Sidebar(this.sidebar, this);
        const tabList = element("div", { class: "tabs inspector-tabs", role: "tablist", "aria-label": "Inspector" });
        for (const [name, title] of tabs) {
            const button = element("button", { type: "button", role: "tab", "data-tab": name, "aria-controls": "model-panel" }, title);
            button.addEventListener("click", () => this.showTab(name));
            tabList.append(button);
        }
        tabList.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step) return;
            const names = tabs.map(([name]) => name);
            this.showTab(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
            tabList.querySelector(`[data-tab="${this.tab}"]`).focus();
        });
        this.tabList = tabList;
        this.panel = element("div", { id: "model-panel", role: "tabpanel", class: "inspector-panel" });
        // A field whose text is committed has nothing of its own to undo.
        this.panel.addEventListener("keydown", (event) => {
            const { target } = event;
            const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
            if (!isUndo || (target.shown !== undefined && target.value !== target.shown)) return;
            event.preventDefault();
            if (event.shiftKey) this.redo();
            else this.undo();
        });
        this.inspector.classList.add("model-inspector");
        this.inspector.append(tabList, this.panel);
        this.inspectorView = new Inspector(this.panel, this);
    }

    drawStrip() {
        const { picture } = this;
        const isReadOnly = Boolean(picture.readOnlyReason);
        const version = element("select", { class: "input", "aria-label": "Version" }, ...picture.versions.map(({ name, isCurrent, isNew, error }) =>
            element("option", { value: name, selected: name === picture.version, disabled: Boolean(error) }, `${name}${isCurrent && picture.versions.length > 1 ? " ✓" : ""}${isNew ? " (new)" : ""}${error ? " (unreadable)" : ""}`)));
        version.addEventListener("change", () => this.run(this.change(() => this.api("show", { body: { name: version.value } }))));
        const button = (title, hint, run, { isDisabled = false, style = "", label = null } = {}) => {
            const result = element("button", { type: "button", class: `button ${style}`, title: hint, disabled: isDisabled, "aria-label": label }, title);
            result.addEventListener("click", run);
            return result;
        };
        const errors = picture.problems.filter(({ level }) => level === "error").length;
        const warnings = picture.problems.filter(({ level }) => level === "warning").length;
        const state = errors ? `${errors} ${errors === 1 ? "error" : "errors"}` : warnings ? `${warnings} ${warnings === 1 ? "warning" : "warnings"}` : "No problems";
        const problems = button(state, "Show the problems of the model", () => this.select({}), { style: `plain small state ${errors ? "has-errors" : warnings ? "has-warnings" : ""}` });
        this.strip.replaceChildren(...[
            version,
            picture.versions.length > 1 && !picture.versions.find(({ name }) => name === picture.version)?.isCurrent && !isReadOnly
                ? button("Make current", "Create new stores with this version", () => this.makeCurrent(picture.version), { style: "small" }) : null,
            isReadOnly ? null : button("+ Entity", "Add an entity (N)", () => this.addEntity(), { style: "small" }),
            isReadOnly ? null : button("New version…", "Copy this version and make the copy current", () => this.newVersion(), { style: "small" }),
            picture.versions.filter(({ error }) => !error).length > 1 ? button("Compare…", "Show two versions side by side", () => this.chooseComparison(), { style: "small" }) : null,
            problems,
            element("span", { class: "push" }),
            isReadOnly ? button("Convert…", picture.readOnlyReason, () => this.convert(), { style: "small" }) : null,
            isReadOnly ? null : button("↶", picture.undoTitle ? `Undo: ${picture.undoTitle} (Ctrl-Z)` : "Nothing to undo", () => this.undo(), { isDisabled: !picture.undoTitle, style: "small", label: "Undo" }),
            isReadOnly ? null : button("↷", picture.redoTitle ? `Redo: ${picture.redoTitle} (Shift-Ctrl-Z)` : "Nothing to redo", () => this.redo(), { isDisabled: !picture.redoTitle, style: "small", label: "Redo" }),
            isReadOnly ? null : button("Save", picture.isChanged ? "Write the changed files (Ctrl-S)" : "All changes are saved", () => this.save(), { isDisabled: !picture.isChanged, style: "primary small" }),
        ].filter(Boolean));
        this.notes.replaceChildren(...(isReadOnly ? [element("p", { class: "note" }, picture.readOnlyReason)] : []));
        for (const { name, error } of picture.versions) if (error) this.notes.append(element("p", { class: "note warns" }, `${name}: ${error}`));
    }

    // The picture

    entity(name) {
        return this.byName.get(name);
    }

    /** Takes a picture, or the changed part of one. */
    adopt(picture) {
        const known = picture.isPartial ? this.byName : new Map();
        const changed = picture.isPartial ? new Set(picture.entities.map(({ name }) => name)) : null;
        for (const entity of picture.entities) known.set(entity.name, entity);
        // The order is the file's; removed entities disappear.
        this.byName = new Map(picture.entityNames.map((name) => [name, known.get(name)]));
        this.entities = [...this.byName.values()];
        this.formerProblems = this.picture?.problems ?? [];
        this.picture = picture;
        const former = this.groups;
        this.groups = new Groups(this.entities);
        if (!changed || !former) return null;
        // A card also changes with its colour and with the problems in it.
        for (const entity of this.entities) {
            const mine = (problems) => JSON.stringify(problems.filter(({ place }) => place.entity === entity.name));
            if (former.hue(entity) !== this.groups.hue(entity) || mine(this.formerProblems) !== mine(picture.problems)) changed.add(entity.name);
        }
        return changed;
    }

    problemsOf(entity) {
        return this.picture.problems.filter(({ place }) => place.entity === entity.name);
    }

    problemsAt(place) {
        if (place.model) return this.picture.problems.filter((problem) => !Object.values(problem.place).some(Boolean));
        const names = (this.entity(place.entity)?.properties ?? []).map(({ name }) => name);
        // A problem of a property that the entity does not have is the entity's.
        const propertyOf = (problem) => (names.includes(problem.place.property) ? problem.place.property : undefined);
        return this.picture.problems.filter((problem) =>
            problem.place.entity === place.entity && propertyOf(problem) === place.property && problem.place.request === place.request && problem.place.configuration === place.configuration);
    }

    /** Shows the picture; `changed` names the cards to draw again, null for all. */
    async redraw(changed) {
        this.drawStrip();
        const boxes = await placeCards(this.entities, this.picture.positions, this.kept);
        if (this.isClosed) return;
        this.kept = boxes;
        this.diagram.isReadOnly = Boolean(this.picture.readOnlyReason);
        performance.mark("model drawing begins");
        this.diagram.draw(this.entities, boxes, { changed, hue: (entity) => this.groups.hue(entity), problems: (entity) => this.problemsOf(entity) });
        performance.measure("model drawing", "model drawing begins");
        this.showEmpty();
        this.side.draw();
        this.diagram.root.dataset.revision = this.picture.revision;
        // The shell adds those of the file under the same identifiers.
        for (const name of this.picture.entityNames) {
            this.command({ id: `entity ${name}`, title: name, kind: "entity", run: () => this.select({ entity: name }, { reveal: true }) });
        }
    }

    showEmpty() {
        this.empty?.remove();
        this.empty = null;
        if (this.entities.length) return;
        const add = element("button", { type: "button", class: "button primary" }, "Add an entity");
        add.addEventListener("click", () => this.addEntity());
        this.empty = element("div", { class: "empty diagram-empty" }, element("h2", {}, "The model has no entities"),
            element("p", {}, "An entity is a kind of object, such as Task or List. Add one, give it attributes, and drag from its edge to another card to relate the two."),
            this.picture.readOnlyReason ? null : add);
        this.diagram.root.append(this.empty);
    }

    /** Waits for a picture and shows it. */
    async update(promise) {
        const picture = await promise;
        if (this.isClosed) return;
        // An answer that another one overtook is older than the page.
        if (picture.revision < this.picture.revision) return;
        const isSame = picture.revision === this.picture.revision && picture.version === this.picture.version;
        const version = this.picture.version;
        const before = new Map(this.byName);
        const changed = this.adopt(picture);
        if (isSame && changed && !changed.size) return;
        if (version !== picture.version) this.kept = new Map();
        await this.redraw(version === picture.version ? changed : null);
        if (version !== picture.version) this.diagram.fit();
        const isThere = this.isThere(this.place);
        this.select(isThere ? this.place : followed(this.place, before, this.byName), { isQuiet: isThere });
    }

    /** Runs a change that has no field of its own; shows the reason if it is refused. */
    async run(promise) {
        this.failure?.remove();
        try {
            await promise;
            return true;
        } catch (error) {
            this.showFailure(error);
            return false;
        }
    }

    showFailure(error) {
        const close = element("button", { type: "button", class: "icon-button push", "aria-label": "Close" }, "×");
        this.failure?.remove();
        this.failure = note(error);
        this.failure.append(close);
        close.addEventListener("click", () => this.failure.remove());
        this.notes.append(this.failure);
    }

    // Edits

    /** Sends a change after those in progress, and shows the picture that it answers. */
    change(send) {
        const result = this.queue.then(() => this.update(send()));
        this.queue = result.catch(() => {});
        return result;
    }

    /** Sends edits of the version that the reader sees now; another window may choose another one at any time. */
    async edit(edits, title = null) {
        const { version } = this.picture;
        try {
            await this.change(() => this.api("edit", { body: { edits, title, version, since: this.picture.revision } }));
        } catch (error) {
            if (error.status === 409) {
                await this.refresh();
                this.showFailure(error);
            }
            throw error;
        }
    }

    async rename(place, name) {
        const renamed = { ...place };
        if (place.element) return this.edit([{ rename: { place, name } }]);
        for (const key of ["property", "entity", "request", "configuration"]) {
            if (!place[key]) continue;
            renamed[key] = name;
            break;
        }
        if (!place.property && place.entity && this.kept.has(place.entity) && name) this.kept.set(name, { ...this.kept.get(place.entity), name });
        const former = this.place;
        this.place = renamed;
        try {
            await this.edit([{ rename: { place, name } }]);
        } catch (error) {
            this.place = former;
            throw error;
        }
        this.select(renamed);
    }

    async addEntity() {
        if (this.picture.readOnlyReason) return;
        const names = new Set(this.picture.entityNames);
        const { x, y } = this.diagram.middle();
        await this.run(this.edit([{ addEntity: { position: this.toFilePosition({ x: x - 110, y: y - 40 }) } }]));
        this.focusNew(this.picture.entityNames.find((name) => !names.has(name)));
    }

    toFilePosition({ x, y }) {
        return { entity: "", ...toFile({ x, y }) };
    }

    /** Selects a new entity, and its name for typing over it. */
    focusNew(entity, property = null) {
        if (!entity) return;
        this.select({ entity, property }, { reveal: true });
        this.showTab("inspect");
        const name = this.panel.querySelector('[data-field="name"]');
        name?.focus();
        name?.select();
    }

    async addProperty(entity, kind) {
        const names = new Set(this.entity(entity).properties.map(({ name }) => name));
        await this.run(this.edit([{ addProperty: { entity, kind } }]));
        this.focusNew(entity, this.entity(entity)?.properties.find(({ name }) => !names.has(name))?.name);
    }

    async addRequest() {
        const names = new Set(this.picture.requests.map(({ name }) => name));
        const entity = this.place.entity ?? undefined;
        if (await this.run(this.edit([{ addRequest: { entity } }]))) this.focusPart("request", this.picture.requests.find(({ name }) => !names.has(name)));
    }

    async addConfiguration() {
        const names = new Set(this.picture.configurations.map(({ name }) => name));
        if (await this.run(this.edit([{ addConfiguration: {} }]))) this.focusPart("configuration", this.picture.configurations.find(({ name }) => !names.has(name)));
    }

    focusPart(kind, part) {
        if (!part) return;
        this.select({ [kind]: part.name });
        this.showTab("inspect");
        this.panel.querySelector('[data-field="name"]')?.select();
    }

    /** Relates two entities in one edit: many there, one here. */
    async connect(from, to) {
        const names = new Set(this.entity(from).properties.map(({ name }) => name));
        const isDone = await this.run(this.edit([{ addRelationship: { entity: from, destination: to, name: "", isToMany: true, inverse: "", isInverseToMany: false } }]));
        if (!isDone) return;
        const property = this.entity(from).properties.find(({ name }) => !names.has(name));
        announce(`${from} is related to ${to}.`);
        this.focusNew(from, property?.name);
    }

    async chooseConnection() {
        const from = this.place.entity;
        if (!from || this.picture.readOnlyReason) return announce("Select an entity first.");
        const options = element("datalist", { id: "model-destinations" }, ...this.picture.entityNames.map((name) => element("option", { value: name })));
        const answer = await ask({ title: `Relate ${from}`, text: ["The inverse is added too.", options], fields: [["to", "Destination", ""]], choices: [["add", "Relate", "primary"]] });
        if (!answer) return;
        if (!this.entity(answer.to)) return this.showFailure({ message: `The model has no entity ${answer.to}.`, remedy: "Enter the name of an entity." });
        await this.connect(from, answer.to);
    }

    /** Writes the place of a card; a file without places gets those of all cards, so that the layout stays. */
    moved(name) {
        const others = this.entities.filter((entity) => entity.name !== name && !this.kept.get(entity.name).isPlaced);
        const cards = [name, ...others.map((entity) => entity.name)].map((entity) => ({ entity, ...this.diagram.filePlace(entity) }));
        // The file's place is the one that the card has now.
        for (const { entity } of cards) {
            const box = this.kept.get(entity);
            box.file = null;
            box.isPlaced = true;
        }
        this.select({ entity: name }, { isQuiet: true });
        return this.run(this.edit([{ arrange: { cards } }], `Move ${name}`));
    }

    async arrangeAll() {
        if (this.picture.readOnlyReason) return;
        const boxes = await placeCards(this.entities, [], new Map());
        this.kept = boxes;
        this.diagram.boxes = boxes;
        const cards = this.entities.map(({ name }) => ({ entity: name, ...this.diagram.filePlace(name) }));
        await this.run(this.edit([{ arrange: { cards } }], "Arrange all cards"));
        this.diagram.fit();
    }

    /** Asks before a part is removed, and names the parts that are removed with it. */
    async remove(place) {
        if (this.picture.readOnlyReason) return;
        const name = place.request ?? place.configuration ?? [place.entity, place.property].filter(Boolean).join(".");
        const text = [];
        if (place.entity && !place.property) {
            const relations = this.entities.flatMap((entity) => entity.properties
                .filter((property) => entity.name !== place.entity && (property.destination === place.entity || property.request?.entity === place.entity))
                .map((property) => `${entity.name}.${property.name}`));
            const requests = this.picture.requests.filter(({ entity }) => entity === place.entity).map(({ name: request }) => request);
            if (relations.length) text.push(`Removed with it: ${relations.join(", ")}.`);
            if (requests.length) text.push(`Removed fetch requests: ${requests.join(", ")}.`);
            const children = this.entities.filter(({ superentity }) => superentity === place.entity).map(({ name: child }) => child);
            if (children.length) text.push(`${children.join(", ")} then ${children.length === 1 ? "inherits" : "inherit"} from ${this.entity(place.entity).superentity ?? "no entity"}.`);
        }
        text.push("It can be undone.");
        const answer = await ask({ title: `Delete ${name}?`, text, choices: [["delete", "Delete", "primary"]] });
        if (!answer) return;
        if (await this.run(this.edit([{ remove: { place } }]))) this.select(place.property ? { entity: place.entity } : {});
    }

    async duplicate() {
        const { entity, property } = this.place;
        if (!entity || this.picture.readOnlyReason) return;
        await this.run(this.edit([{ duplicate: { place: property ? { entity, property } : { entity } } }]));
    }

    undo() {
        const title = this.picture.undoTitle;
        if (!title) return announce("There is nothing to undo.");
        return this.run(this.change(() => this.api("undo", { body: { since: this.picture.revision } })).then(() => announce(`Undone: ${title}`)));
    }

    redo() {
        const title = this.picture.redoTitle;
        if (!title) return announce("There is nothing to redo.");
        return this.run(this.change(() => this.api("redo", { body: { since: this.picture.revision } })).then(() => announce(`Repeated: ${title}`)));
    }

    checkPredicate(format, entity, source) {
        return this.api(`predicate?${queryText(source ? { format, entity, source } : { format, entity })}`);
    }

    // Versions and files

    async save(options = {}) {
        // A field that has the focus commits its text first.
        const focused = document.activeElement;
        focused?.blur?.();
        focused?.focus?.({ preventScroll: true });
        await this.queue;
        if (!this.picture.isChanged) return announce("All changes are saved.");
        try {
            await this.change(() => this.api("save", { body: { since: this.picture.revision, ...options } }));
            this.failure?.remove();
            announce("Saved.");
        } catch (error) {
            if (error.status === 409) return this.settleConflict(error, options);
            if (error.status !== 412) return this.showFailure(error);
            const answer = await ask({ title: "The model has errors", text: [error.message, error.remedy], choices: [["save", "Save as it is"], ["show", "Show the problems", "primary"]] });
            if (answer?.choice === "save") return this.save({ ...options, acceptingErrors: true });
            if (answer) this.select({});
        }
    }

    /** Shows the changes of another program, and asks whose stay. */
    async settleConflict(error, options) {
        const { difference } = await this.api("disk");
        const text = [error.message];
        if (difference) text.push(element("div", { class: "conflict" }, differenceList(difference)));
        const answer = await ask({ title: "The file changed on the disk", text, choices: [["reload", "Show their version"], ["overwrite", "Save over it", "danger"]] });
        if (answer?.choice === "overwrite") return this.save({ ...options, overwriting: true });
        if (answer) {
            const isRead = await this.run(this.change(() => this.api("reload", { body: {} })));
            if (isRead) announce("The file was read again. Undo shows your changes.");
        }
    }

    async newVersion() {
        const answer = await ask({ title: "New version", text: `A copy of ${this.picture.version} becomes the current version. It is written when you save.`, fields: [["name", "Name (empty for the next one)", ""]], choices: [["add", "Add the version", "primary"]] });
        if (answer) await this.run(this.change(() => this.api("versions", { body: { name: answer.name } })));
    }

    makeCurrent(name) {
        return this.run(this.change(() => this.api("current", { body: { name } })));
    }

    async convert() {
        const answer = await ask({ title: "Convert the model", text: "The new file is written beside the model.", fields: [["name", "File", `${this.picture.title}.xcdatamodeld`]], choices: [["convert", "Convert", "primary"]] });
        if (!answer) return;
        await this.run(this.api("convert", { body: { name: answer.name } }).then(({ file, losses }) => {
            this.notes.append(element("p", { class: "note good" }, `Written: ${file}. Start the studio with it to edit it.${losses.length ? ` Left out: ${losses.join(" ")}` : ""}`));
        }));
    }

    chooseComparison() {
        const names = this.picture.versions.filter(({ error }) => !error).map(({ name }) => name);
        const at = names.indexOf(this.picture.version);
        const [from, to] = at > 0 ? [names[at - 1], names[at]] : [names[0], names[1]];
        this.navigate(pathOf(this.place), { from, to });
        return this.compare(from, to);
    }

    async compare(from, to) {
        this.comparison?.leave();
        this.drawing.hidden = true;
        this.comparisonRoot ??= this.main.appendChild(element("div", { class: "comparison" }));
        this.comparisonRoot.hidden = false;
        this.comparison = { leave() {} };
        this.comparison = await showComparison(this.comparisonRoot, {
            api: this.api, versions: this.picture.versions, from, to,
            choose: (one, other) => {
                this.navigate(pathOf(this.place), { from: one, to: other }, { replace: true });
                this.compare(one, other);
            },
            close: () => {
                this.navigate(pathOf(this.place), this.searchPart());
                this.endComparison();
            },
        });
    }

    endComparison() {
        this.comparison?.leave();
        this.comparison = null;
        if (this.comparisonRoot) this.comparisonRoot.hidden = true;
        this.drawing.hidden = false;
        this.diagram.applyView();
    }

    // Selection and addresses

    searchPart() {
        return this.tab === "inspect" ? {} : { show: this.tab };
    }

    isThere({ entity, property, request, configuration }) {
        if (request) return this.picture.requests.some(({ name }) => name === request);
        if (configuration) return this.picture.configurations.some(({ name }) => name === configuration);
        return entity ? Boolean(this.entity(entity)) && (!property || this.entity(entity).properties.some(({ name }) => name === property)) : true;
    }

    /** Selects a part, and shows it in the inspector, the sidebar, the drawing and the address. */
    select(place, { reveal = false, isQuiet = false } = {}) {
        const wanted = Object.fromEntries(Object.entries(place).filter(([key, value]) => value && key !== "element"));
        // The entity, if it does not have the property, as an index or a constraint may name one.
        const entity = wanted.entity ? { entity: wanted.entity } : {};
        this.place = [wanted, entity].find((each) => this.isThere(each)) ?? {};
        this.diagram.select(this.place.entity ?? null, this.place.property ?? null, { reveal });
        this.side.mark();
        this.drawPanel();
        if (!isQuiet) this.navigate(pathOf(this.place), this.searchPart(), { replace: true });
    }

    /** Opens a part for editing: its name gets the focus. */
    openPart(place) {
        this.select(place);
        this.showTab("inspect");
        const name = this.panel.querySelector('[data-field="name"]');
        name?.focus();
        name?.select();
    }

    showTab(tab) {
        this.tab = tab;
        this.drawPanel();
        this.navigate(pathOf(this.place), this.searchPart(), { replace: true });
    }

    drawPanel() {
        for (const button of this.tabList.children) {
            const isSelected = button.dataset.tab === this.tab;
            button.setAttribute("aria-selected", String(isSelected));
            button.tabIndex = isSelected ? 0 : -1;
        }
        this.panel.setAttribute("aria-label", tabs.find(([name]) => name === this.tab)[1]);
        if (this.tab === "inspect") this.inspectorView.show(this.place);
        else showConsequences(this.panel, this.tab, { api: this.api, place: this.place, select: (place, options) => this.select(place, options) });
    }

    // Commands

    addCommands() {
        const add = (id, title, keys, run) => this.command({ id: `model ${id}`, title, keys, kind: "model", run });
        add("save", "Save the model", "Mod+S", () => this.save());
        add("undo", "Undo", "Mod+Z", () => this.undo());
        add("redo", "Redo", "Mod+Shift+Z", () => this.redo());
        add("search", "Search the model", "/", () => this.side.focus());
        add("fit", "Show the whole diagram", "0", () => this.diagram.fit());
        add("in", "Zoom in", "+", () => this.diagram.zoomBy(1.25));
        add("out", "Zoom out", "-", () => this.diagram.zoomBy(1 / 1.25));
        add("entity", "Add an entity", "N", () => this.addEntity());
        add("attribute", "Add an attribute to the selected entity", "A", () => this.place.entity && this.addProperty(this.place.entity, "attribute"));
        add("relate", "Relate the selected entity to another", "R", () => this.chooseConnection());
        add("request", "Add a fetch request", null, () => this.addRequest());
        add("configuration", "Add a configuration", null, () => this.addConfiguration());
        add("duplicate", "Duplicate the selection", "Mod+D", () => this.duplicate());
        add("remove", "Delete the selection", null, () => Object.keys(this.place).length && this.remove(this.place));
        add("arrange", "Arrange all cards", null, () => this.arrangeAll());
        add("version", "New version", null, () => this.newVersion());
        add("compare", "Compare two versions", null, () => this.picture.versions.length > 1 && this.chooseComparison());
        add("reload", "Read the file again", null, () => this.run(this.change(() => this.api("reload", { body: {} }))));
        add("svg", "Export the diagram as SVG", null, () => download(`${this.picture.title}.svg`, new Blob([svgText(this.diagram, this.picture.title)], { type: "image/svg+xml" })));
        add("png", "Export the diagram as PNG", null, () => this.run(png(this.diagram, this.picture.title).then((blob) => download(`${this.picture.title}.png`, blob))));
        for (const [tab, title] of tabs) add(`tab ${tab}`, `Show ${title}`, null, () => this.showTab(tab));
    }
}

export async function show(shell) {
    const modeller = new Modeller(shell);
    await modeller.open();
    return modeller;
}
