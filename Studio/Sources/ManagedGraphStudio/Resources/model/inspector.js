// The inspector: every option of the selected entity, property, fetch request, configuration, or of the model. Changes go to
// the session as edits; model.js redraws. Used by model.js.
"use strict";

import { element } from "../shell/elements.js";
import { adder, checkField, choiceField, entriesField, listsField, numberField, section, textField } from "./forms.js";

const types = [
    "Undefined", "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date",
    "Binary Data", "UUID", "URI", "Transformable", "Composite",
];
const numeric = ["Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float"];
const scalar = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean", "Date", "UUID"];
const generations = ["Manual/None", "Class Definition", "Category/Extension"];
const deleteRules = ["No Action", "Nullify", "Cascade", "Deny"];
const resultTypes = ["Objects", "Object IDs", "Dictionaries", "Count"];

export class Inspector {
    /** `model` is the controller of model.js: picture, edit, select, remove, checkPredicate. */
    constructor(root, model) {
        this.root = root;
        this.model = model;
    }

    /** Shows a part: {entity, property} or {request} or {configuration} or {}. The focus stays in its field. */
    show(place) {
        const old = this.root.contains(document.activeElement) ? document.activeElement : null;
        const key = JSON.stringify(place);
        const isSame = key === this.key;
        this.key = key;
        const top = this.root.scrollTop;
        this.root.replaceChildren(...this.parts(place).filter(Boolean));
        const control = old?.dataset.field && this.root.querySelector(`[data-field="${CSS.escape(old.dataset.field)}"]`);
        if (control) {
            // Text that is being typed stays.
            if (isSame && old.shown !== undefined && old.value !== old.shown) control.value = old.value;
            control.focus({ preventScroll: true });
        }
        this.root.scrollTop = isSame ? top : 0;
    }

    get isReadOnly() {
        return Boolean(this.model.picture.readOnlyReason);
    }

    parts(place) {
        const { model } = this;
        if (place.request) {
            const request = model.picture.requests.find(({ name }) => name === place.request);
            return request ? this.request(request, place) : [];
        }
        if (place.configuration) {
            const configuration = model.picture.configurations.find(({ name }) => name === place.configuration);
            return configuration ? this.configuration(configuration, place) : [];
        }
        const entity = model.entity(place.entity);
        const property = entity?.properties.find(({ name }) => name === place.property);
        if (property) return this.property(entity, property, { entity: entity.name, property: property.name });
        return entity ? this.entity(entity, { entity: entity.name }) : this.settings();
    }

    // Helpers

    /** A function that sets a field of a place. */
    set(place, field) {
        return (value) => this.model.edit([{ set: { place, field, value } }]);
    }

    options(more = {}) {
        return { isReadOnly: this.isReadOnly, ...more };
    }

    head(title, kind, place) {
        const problems = this.model.problemsAt(place);
        return element(
            "div", { class: "inspector-head" },
            element("div", { class: "spread" }, element("h2", {}, title), element("span", { class: "badge push" }, kind)),
            ...problems.map(({ level, reason }) => element("p", { class: `note ${level === "error" ? "bad" : level === "warning" ? "warns" : ""}` }, reason))
        );
    }

    name(title, place) {
        return textField("Name", "name", title, (name) => this.model.rename(place, name ?? ""), this.options());
    }

    text(label, place, field, value, more) {
        return textField(label, field, value, this.set(place, field), this.options(more));
    }

    check(label, place, field, value, hint) {
        return checkField(label, field, value, this.set(place, field), this.options({ hint }));
    }

    choice(label, place, field, value, options, more) {
        return choiceField(label, field, value, options, this.set(place, field), this.options(more));
    }

    count(label, place, field, value, hint) {
        return numberField(label, field, value, this.set(place, field), this.options({ hint }));
    }

    predicate(place, value, entity, source) {
        return textField("Predicate", "predicate", value, this.set(place, "predicate"), this.options({
            lines: 3, isMono: true, placeholder: "priority > 3 AND list.name == $name",
            check: (format) => this.model.checkPredicate(format, entity, source),
        }));
    }

    versioning(place, part) {
        return section(
            "Versioning",
            this.text("Renaming ID", place, "renamingIdentifier", part.renamingIdentifier, { hint: "The name in the previous version, so that a migration keeps the values." }),
            this.text("Hash modifier", place, "hashModifier", part.hashModifier, { hint: "A text that makes stores of the previous version incompatible." })
        );
    }

    userInfo(place, part) {
        return section("User info", entriesField("userInfo", part.userInfo, this.set(place, "userInfo"), this.options()));
    }

    deletion(place) {
        if (this.isReadOnly) return null;
        const button = element("button", { type: "button", class: "button danger" }, "Delete…");
        button.addEventListener("click", () => this.model.remove(place));
        return element("div", { class: "inspector-foot" }, button);
    }

    // The model

    settings() {
        const { settings, title, checksum, problems } = this.model.picture;
        const place = {};
        return [
            this.head(title, "Model", { model: true }),
            section(
                "Model",
                this.text("Identifier", place, "identifier", settings.identifier),
                this.choice("Language", place, "language", settings.language, [["", "Not set"], "Swift", "Objective-C"]),
                this.text("Tools version", place, "minimumTools", settings.minimumTools, { list: ["Automatic"], hint: settings.tools ? `Saved by ${settings.tools}.` : null }),
                this.check("Used with CloudKit", place, "isUsedWithCloudKit", settings.isUsedWithCloudKit),
                this.check("Used with SwiftData", place, "isUsedWithSwiftData", settings.isUsedWithSwiftData)
            ),
            section("Version checksum", element("p", { class: "mono wraps" }, checksum)),
            problems.length
                ? section("Problems", ...problems.map((problem) => this.problem(problem)))
                : section("Problems", element("p", { class: "secondary" }, "None. Apple's compiler accepts this version.")),
        ];
    }

    problem({ level, place, reason }) {
        const where = place.request ?? place.configuration ?? [place.entity, place.property].filter(Boolean).join(".");
        const button = element("button", { type: "button", class: `problem-row ${level}` }, element("strong", {}, where || "Model"), element("span", {}, reason));
        button.addEventListener("click", () => this.model.select(place, { reveal: true }));
        return button;
    }

    // Entities

    entity(entity, place) {
        const others = this.model.picture.entityNames.filter((name) => name !== entity.name);
        const attributes = [...entity.inherited, ...entity.properties].filter(({ kind }) => kind === "attribute").map(({ name }) => name);
        return [
            this.head(entity.name, "Entity", place),
            section(
                "Entity",
                this.name(entity.name, place),
                this.check("Abstract", place, "isAbstract", entity.isAbstract),
                this.choice("Parent entity", place, "superentity", entity.superentity, [["", "None"], ...others])
            ),
            section(
                "Class",
                this.text("Name", place, "className", entity.className, { placeholder: "NSManagedObject" }),
                textField("Module", "module", entity.module === "" ? "Current product module" : entity.module, (value) => this.set(place, "module")(value === "Current product module" ? "" : value), this.options({ list: ["Current product module"], placeholder: "Global namespace" })),
                this.choice("Codegen", place, "codeGeneration", entity.codeGeneration, generations)
            ),
            this.adders(entity),
            section("Constraints", listsField("constraints", entity.constraints, attributes, this.set(place, "constraints"), this.options({ noun: "constraint" }))),
            section("Fetch indexes", ...this.indexes(entity, place)),
            entity.compoundIndexes.length ? section("Compound indexes", listsField("compoundIndexes", entity.compoundIndexes, attributes, this.set(place, "compoundIndexes"), this.options({ noun: "index" }))) : null,
            section("Spotlight", this.text("Display name", place, "spotlightName", entity.spotlightName, { isMono: true, placeholder: "an expression" })),
            this.versioning(place, entity),
            this.userInfo(place, entity),
            section("Group", textField("Colour group", "group", entity.userInfo.group, (value) => {
                const entries = { ...entity.userInfo };
                if (value) entries.group = value;
                else delete entries.group;
                return this.set(place, "userInfo")(entries);
            }, this.options({ list: this.model.groups.names, hint: "Kept in the user info, which no version hash covers." }))),
            entity.inherited.length ? section("Inherited", element("ul", { class: "plain-list" }, ...entity.inherited.map((property) => element("li", {}, element("strong", {}, property.name), ` ${property.entity} · ${property.summary}`)))) : null,
            this.deletion(place),
        ];
    }

    adders(entity) {
        if (this.isReadOnly) return section("Properties", this.properties(entity));
        const add = (title, kind) => adder(title, () => this.model.addProperty(entity.name, kind));
        return section("Properties", this.properties(entity), element("div", { class: "row-of-buttons" }, add("Attribute", "attribute"), add("Relationship", "relationship"), add("Fetched property", "fetched")));
    }

    /** The properties as buttons that open them. */
    properties(entity) {
        return element("ul", { class: "list property-list" }, ...entity.properties.map((property) => {
            const button = element("button", { type: "button", "data-field": `property ${property.name}`, title: property.summary }, element("span", { class: "name" }, property.name),
                element("span", { class: "count" }, property.kind === "attribute" ? property.type : property.destination ?? property.request?.entity ?? ""));
            button.addEventListener("click", () => this.model.select({ entity: entity.name, property: property.name }));
            return element("li", {}, button);
        }));
    }

    indexes(entity, place) {
        const save = (indexes) => this.set(place, "indexes")(indexes);
        const names = [...entity.inherited, ...entity.properties].map(({ name }) => name);
        const rows = entity.indexes.map((index, number) => {
            const change = (body) => {
                const copy = structuredClone(entity.indexes);
                body(copy[number], copy);
                return save(copy);
            };
            const box = element("div", { class: "index" });
            box.append(
                textField("Name", `index ${number} name`, index.name, (name) => change((copy) => (copy.name = name ?? "")), this.options()),
                textField("Where", `index ${number} predicate`, index.predicate, (format) => change((copy) => (copy.predicate = format)), this.options({ isMono: true, placeholder: "a predicate for a partial index" }))
            );
            index.elements.forEach((part, at) => {
                const label = `${part.isRTree ? "R-tree" : "Binary"}`;
                box.append(
                    textField(`Element ${at + 1}`, `index ${number} element ${at}`, part.property ?? part.expression, (name) => change((copy) => {
                        if (name === null) copy.elements.splice(at, 1);
                        else if (names.includes(name.split(".")[0])) Object.assign(copy.elements[at], { property: name, expression: undefined });
                        else Object.assign(copy.elements[at], { expression: name, property: undefined });
                    }), this.options({ list: names, isMono: true, hint: part.expression ? "An expression." : null })),
                    choiceField("Type", `index ${number} type ${at}`, label, ["Binary", "R-tree"], (type) => change((copy) => (copy.elements[at].isRTree = type === "R-tree")), this.options()),
                    choiceField("Order", `index ${number} order ${at}`, part.isAscending ? "Ascending" : "Descending", ["Ascending", "Descending"], (order) => change((copy) => (copy.elements[at].isAscending = order === "Ascending")), this.options())
                );
            });
            if (!this.isReadOnly) {
                box.append(element("div", { class: "row-of-buttons" },
                    adder("Add an element", () => change((copy) => copy.elements.push({ property: names[0], isRTree: false, isAscending: true }))),
                    adder("Remove the index", () => change((_, copy) => copy.splice(number, 1)))));
            }
            return box;
        });
        if (!this.isReadOnly && names.length) {
            const free = (stem) => {
                let name = stem;
                for (let number = 1; entity.indexes.some((index) => index.name === name); number++) name = `${stem}${number}`;
                return name;
            };
            rows.push(adder("Add a fetch index", () => save([...entity.indexes, { name: free("byIndex"), elements: [{ property: names[0], isRTree: false, isAscending: true }] }])));
        }
        return rows;
    }

    // Properties

    property(entity, property, place) {
        const kinds = { attribute: "Attribute", relationship: "Relationship", fetched: "Fetched property" };
        const back = element("button", { type: "button", class: "button plain small" }, `‹ ${entity.name}`);
        back.addEventListener("click", () => this.model.select({ entity: entity.name }));
        const content = {
            attribute: () => this.attribute(property, place),
            relationship: () => this.relationship(entity, property, place),
            fetched: () => this.fetched(entity, property, place),
        }[property.kind]();
        return [
            element("div", { class: "inspector-back" }, back),
            this.head(property.name, kinds[property.kind], place),
            ...content,
            this.versioning(place, property),
            this.userInfo(place, property),
            section(
                "Spotlight and older options",
                this.check("Index in Spotlight", place, "isSpotlight", property.isSpotlight),
                this.check("Indexed (before fetch indexes)", place, "isIndexed", property.isIndexed),
                this.check("Store in external record file", place, "isStoredInTruthFile", property.isStoredInTruthFile),
                property.kind === "fetched" || property.derivation ? null : this.check("Read-only", place, "isReadOnly", property.isReadOnly)
            ),
            this.order(entity, property, place),
            this.deletion(place),
        ];
    }

    order(entity, property, place) {
        if (this.isReadOnly) return null;
        const kin = entity.properties.filter(({ kind }) => kind === property.kind);
        const at = kin.indexOf(property);
        if (kin.length < 2) return null;
        const move = (title, index) => {
            const button = adder(title, () => this.model.edit([{ move: { place, index } }]));
            button.disabled = index < 0 || index >= kin.length;
            return button;
        };
        return section("Order", element("div", { class: "row-of-buttons" }, move("Up", at - 1), move("Down", at + 1)));
    }

    attribute(property, place) {
        const { type } = property;
        const isDate = type === "Date";
        const hasBounds = numeric.includes(type) || isDate || type === "String";
        const [least, most] = type === "String" ? ["Min length", "Max length"] : isDate ? ["Earliest", "Latest"] : ["Minimum", "Maximum"];
        return [
            section(
                "Attribute",
                this.name(property.name, place),
                this.choice("Type", place, "type", type, types),
                this.check("Optional", place, "isOptional", property.isOptional),
                this.check("Transient", place, "isTransient", property.isTransient),
                ...this.values(property, place, { hasBounds, least, most, isDate })
            ),
            type === "Composite" ? this.composite(property, place) : null,
            section(
                "Derived",
                this.text("Derivation", place, "derivation", property.derivation, { isMono: true, placeholder: "now(), items.@count", list: ["now()"], hint: "An expression makes the attribute a derived one." })
            ),
            section(
                "Storage",
                type === "Binary Data" ? this.check("Allow external storage", place, "isExternal", property.isExternal) : null,
                this.check("Preserve after deletion", place, "isPreserved", property.isPreserved, "The history keeps the value of a deleted object."),
                this.check("Allow cloud encryption", place, "isEncrypted", property.isEncrypted)
            ),
        ];
    }

    /** Default, bounds, scalar and transformer, as the type has them. */
    values(property, place, { hasBounds, least, most, isDate }) {
        const { type } = property;
        const hasDefault = hasBounds || ["Boolean", "UUID", "URI"].includes(type);
        return [
            hasDefault && type === "Boolean" ? this.choice("Default", place, "defaultValue", property.defaultValue, [["", "None"], "YES", "NO"]) : null,
            hasDefault && type !== "Boolean" ? this.text("Default", place, "defaultValue", property.defaultValue, { placeholder: isDate ? "2026-01-31T12:00:00Z" : "none" }) : null,
            hasBounds ? this.text(least, place, "minimum", property.minimum) : null,
            hasBounds ? this.text(most, place, "maximum", property.maximum) : null,
            type === "String" ? this.text("Matches", place, "pattern", property.pattern, { isMono: true, placeholder: "a regular expression" }) : null,
            scalar.includes(type) ? this.check("Use scalar type", place, "usesScalar", property.usesScalar) : null,
            type === "Transformable" ? this.text("Transformer", place, "transformer", property.transformer, { list: ["NSSecureUnarchiveFromDataTransformer"] }) : null,
            type === "Transformable" ? this.text("Custom class", place, "valueClass", property.valueClass) : null,
        ];
    }

    composite(property, place) {
        const rows = (property.elements ?? []).map((part) => {
            const inner = { ...place, element: [place.element, part.name].filter(Boolean).join(".") };
            const isDate = part.type === "Date";
            const hasBounds = numeric.includes(part.type) || isDate || part.type === "String";
            const box = element("details", { class: "index", open: true }, element("summary", {}, part.name));
            box.append(...[
                this.name(part.name, inner),
                this.choice("Type", inner, "type", part.type, types),
                this.check("Optional", inner, "isOptional", part.isOptional),
                ...this.values(part, inner, { hasBounds, least: "Minimum", most: "Maximum", isDate }),
                part.type === "Composite" ? this.composite(part, inner) : null,
                this.isReadOnly ? null : adder("Remove the element", () => this.model.edit([{ remove: { place: inner } }])),
            ].filter(Boolean));
            for (const control of box.querySelectorAll("[data-field]")) control.dataset.field = `${inner.element} ${control.dataset.field}`;
            return box;
        });
        const add = this.isReadOnly || place.element ? null : adder("Add an element", () => this.model.edit([{ addElement: { entity: place.entity, property: place.property } }]));
        return section("Composite", this.text("Type name", place, "composite", property.composite, { list: this.model.picture.composites }), ...rows, add);
    }

    relationship(entity, property, place) {
        const other = this.model.entity(property.destination);
        const inherited = other ? other.inherited.filter(({ kind }) => kind === "relationship").map(({ name }) => name) : [];
        const candidates = [...(other?.properties.filter(({ kind }) => kind === "relationship").map(({ name }) => name) ?? []), ...inherited];
        return [
            section(
                "Relationship",
                this.name(property.name, place),
                this.choice("Destination", place, "destination", property.destination, this.model.picture.entityNames),
                this.choice("Inverse", place, "inverse", property.inverse, [["", "No inverse"], ...new Set(candidates)]),
                this.choice("Delete rule", place, "deleteRule", property.deleteRule, deleteRules, { hint: ruleText(property.deleteRule, property.destination) }),
                choiceField("Type", "isToMany", property.isToMany ? "To many" : "To one", ["To one", "To many"], (value) => this.set(place, "isToMany")(value === "To many"), this.options()),
                property.isToMany ? this.check("Ordered", place, "isOrdered", property.isOrdered) : null,
                this.check("Optional", place, "isOptional", property.isOptional),
                this.check("Transient", place, "isTransient", property.isTransient),
                property.isToMany ? this.count("Minimum", place, "minCount", property.minCount) : null,
                property.isToMany ? this.count("Maximum", place, "maxCount", property.maxCount, "0 is no limit.") : null
            ),
        ];
    }

    fetched(entity, property, place) {
        return [
            section(
                "Fetched property",
                this.name(property.name, place),
                this.choice("Destination", place, "entity", property.request.entity, this.model.picture.entityNames),
                this.predicate(place, property.request.predicate, property.request.entity, entity.name),
                this.check("Optional", place, "isOptional", property.isOptional)
            ),
            this.requestOptions(property.request, place),
        ];
    }

    // Fetch requests and configurations

    request(request, place) {
        return [
            this.head(request.name, "Fetch request", place),
            section(
                "Fetch request",
                this.name(request.name, place),
                this.choice("Entity", place, "entity", request.entity, this.model.picture.entityNames),
                this.predicate(place, request.predicate, request.entity)
            ),
            this.requestOptions(request, place),
            this.deletion(place),
        ];
    }

    requestOptions(request, place) {
        return section(
            "Results",
            this.choice("Result type", place, "resultType", request.resultType, resultTypes),
            this.count("Fetch limit", place, "fetchLimit", request.fetchLimit, "0 is no limit."),
            this.count("Batch size", place, "batchSize", request.batchSize, "0 reads all at once."),
            this.check("Include subentities", place, "includesSubentities", request.includesSubentities),
            this.check("Include property values", place, "includesPropertyValues", request.includesPropertyValues),
            this.check("Return objects as faults", place, "returnsFaults", request.returnsFaults),
            this.check("Include pending changes", place, "includesPending", request.includesPending),
            this.check("Return distinct results", place, "returnsDistinct", request.returnsDistinct)
        );
    }

    configuration(configuration, place) {
        const chosen = new Set(configuration.entities);
        return [
            this.head(configuration.name, "Configuration", place),
            section(
                "Configuration",
                this.name(configuration.name, place),
                this.check("Used with CloudKit", place, "isUsedWithCloudKit", configuration.isUsedWithCloudKit)
            ),
            section("Entities", ...this.model.picture.entityNames.map((name) => checkField(name, `member ${name}`, chosen.has(name), (isMember) => {
                const names = isMember ? [...configuration.entities, name] : configuration.entities.filter((other) => other !== name);
                return this.set(place, "entities")(names);
            }, this.options()))),
            this.deletion(place),
        ];
    }
}

/** The effect of a delete rule in words. */
function ruleText(rule, destination) {
    const name = destination || "the destination";
    return {
        Nullify: `Deleting the object clears the inverse in ${name}.`, Cascade: `Deleting the object deletes its objects of ${name}.`,
        Deny: `The object cannot be deleted while it has objects of ${name}.`, "No Action": `Objects of ${name} keep pointing to the deleted object.`,
    }[rule];
}
