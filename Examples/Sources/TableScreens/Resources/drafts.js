// Forms that update while they are open, and forms that edit a draft. A draft receives each change as it is typed,
// saves of others update untouched fields, and leaving the page saves. Started by screens.js.
"use strict";

/** A form with an event stream: its pickers stay current, and a draft receives each change immediately. */
class LiveForm {
    constructor(form) {
        this.form = form;
        this.address = form.getAttribute("action");
        this.version = form.dataset.version;
        this.isDraft = "draft" in form.dataset;
        this.dirty = new Map();
        /** Fields whose input the server has rejected: a server that starts again has lost it. */
        this.rejected = new Set();
        /** The latest values from the server, by field. */
        this.values = new Map([...form.querySelectorAll("input[name^='was.']")].map((was) => [was.name.slice(4), was.value]));
        this.connect();
        // Runs before the request for the next page, which may be a reload of this one.
        addEventListener("beforeunload", () => this.sendTyped());
        addEventListener("pagehide", () => this.hide());
        addEventListener("pageshow", (event) => event.persisted && this.connect());
        document.addEventListener("visibilitychange", () => {
            clearTimeout(this.hiding);
            if (document.hidden) this.hiding = setTimeout(() => this.source.close(), 5000);
            else this.connect();
        });
        if (!this.isDraft) return;
        form.addEventListener("input", (event) => this.note(event.target, event.target.tagName === "SELECT" ? 0 : 500));
        form.addEventListener("change", (event) => this.note(event.target, 0));
        this.undo = document.getElementById("undo");
        this.redo = document.getElementById("redo");
        this.undo.addEventListener("click", () => this.step("undo"));
        this.redo.addEventListener("click", () => this.step("redo"));
        document.addEventListener("keydown", (event) => this.key(event));
    }

    get zone() {
        return this.form.elements.zone.value;
    }

    with(key, value) {
        return `${this.address}${this.address.includes("?") ? "&" : "?"}${key}=${encodeURIComponent(value)}`;
    }

    // Changes of others

    connect() {
        if (this.isGone || (this.source && this.source.readyState !== EventSource.CLOSED)) return;
        const source = LiveSource.open(this.address, this.version);
        this.source = source;
        source.addEventListener("open", () => {
            showLost(false);
            // A reloaded page may be older than the last change sent by the previous one.
            if (!this.isDraft) return;
            for (const name of this.rejected) if (!this.dirty.has(name)) this.dirty.set(name, 0);
            this.flush().then(() => this.read());
        });
        source.addEventListener("refresh", (event) => event.lastEventId !== this.version && this.read());
        source.addEventListener("gone", () => this.gone());
        followJob(source);
        LiveSource.retry(source, this);
    }

    async read() {
        try {
            const response = await fetch(this.with("-form", 1), { headers: { Accept: "application/json" } });
            if (response.status === 404) return this.gone();
            this.apply((await response.json()).form);
        } catch {
            clearTimeout(this.reading);
            this.reading = setTimeout(() => this.read(), 1000);
        }
    }

    async gone() {
        if (this.isGone) return;
        this.isGone = true;
        this.source.close();
        await showAlert({
            title: "Deleted",
            message: "Another person has deleted this item. What you entered is still in the form: copy it, if you need it.",
        });
    }

    /** Applies a form state, except for values being typed and choices being made. */
    apply({ version, fields, canUndo, canRedo }) {
        this.version = version;
        for (const { name, value, opened, error, options } of fields) {
            const field = document.getElementById(`field-${name}`);
            const before = this.form.elements[`was.${name}`];
            if (!field || !before) continue;
            const isTouched = this.dirty.has(name) || (!this.isDraft && isFieldTouched(field));
            const wanted = isTouched ? field.value : value;
            if (options) this.offer(field, options, wanted);
            else if (!isTouched) this.set(field, wanted);
            if (this.isDraft || !isTouched) before.value = opened;
            this.tell(field, this.isDraft && !this.dirty.has(name) ? error : null);
        }
        if (!this.isDraft) return;
        this.undo.disabled = !canUndo;
        this.redo.disabled = !canRedo;
    }

    /** Shows a value from the server. The text of the focused field stays while it means the same: 3.0 on the way to 3.05. */
    set(field, value) {
        const isSame = this.values.get(field.name) === value;
        this.values.set(field.name, value);
        if (this.isDraft && isSame && field === document.activeElement) return;
        if (this.isDraft && PictureField.of(field.name)) {
            PictureField.of(field.name).revert(value);
        } else if (this.isDraft) {
            if (field.value !== value) field.value = value;
        } else if (fieldValue(field) !== value) {
            setField(this.form, field.name, value);
            document.getElementById("announcements").textContent = "Another person has changed this form.";
        }
    }

    offer(field, options, wanted) {
        const isSame =
            field.options.length === options.length &&
            options.every(([value, title], place) => field.options[place].value === value && field.options[place].text === title);
        if (!isSame) field.replaceChildren(...options.map(([value, title]) => new Option(title, value)));
        field.value = wanted;
        if (field.selectedIndex < 0) {
            field.prepend(new Option("Not Set", ""));
            field.selectedIndex = 0;
        }
    }

    /** Shows beside a field why its input was rejected; null leaves the message unchanged. */
    tell(field, error) {
        if (error === null) return;
        const note = document.getElementById(`error-${field.name}`);
        if (note.textContent !== error) note.textContent = error;
        note.hidden = !error;
        if (error) {
            this.rejected.add(field.name);
            field.setAttribute("aria-invalid", "true");
            field.setAttribute("aria-describedby", note.id);
        } else {
            this.rejected.delete(field.name);
            field.removeAttribute("aria-invalid");
        }
    }

    // Changes of this browser

    note(field, delay) {
        if (!field.name || field.type === "hidden" || field.type === "file") return;
        clearTimeout(this.dirty.get(field.name));
        this.dirty.set(field.name, setTimeout(() => this.send(field.name), delay));
    }

    /** Sends the picture that was chosen or removed. */
    notePicture(name) {
        if (this.isDraft) this.dirty.set(name, setTimeout(() => this.send(name), 0));
    }

    fields(name) {
        const before = this.form.elements[`was.${name}`];
        const fields = new FormData();
        for (const [key, value] of [["action", "change"], ["field", name], [before.name, before.value], ["zone", this.zone]]) {
            fields.set(key, value);
        }
        const picture = PictureField.of(name);
        if (!picture) fields.set(name, document.getElementById(`field-${name}`).value);
        else if (picture.files.length) fields.set(name, picture.files[0]);
        else fields.set(picture.removal.name, picture.removal.value);
        return fields;
    }

    /** Sends a field; input in the meantime is sent afterwards. */
    send(name) {
        if (!this.dirty.has(name)) return Promise.resolve();
        const timer = this.dirty.get(name);
        clearTimeout(timer);
        return this.inTurn(async () => {
            const answer = await this.ask(this.fields(name));
            if (!answer) return;
            if (this.dirty.get(name) === timer) this.dirty.delete(name);
            this.apply(answer);
        });
    }

    async flush() {
        for (const name of [...this.dirty.keys()]) await this.send(name);
    }

    inTurn(work) {
        this.last = (this.last ?? Promise.resolve()).then(work);
        return this.last;
    }

    /** Returns the form's state after an action, or null without a response; a change is then sent again later. */
    async ask(fields) {
        try {
            const response = await fetch(this.address, {
                method: "POST",
                headers: { Accept: "application/json" },
                body: formBody(fields),
            });
            if (response.status === 404) {
                this.gone();
                return null;
            }
            const answer = await response.json();
            if (answer.alert) await showAlert(answer.alert);
            return answer.form ?? null;
        } catch {
            return null;
        }
    }

    async step(action) {
        await this.flush();
        await this.inTurn(async () => {
            const answer = await this.ask(Object.entries({ action, zone: this.zone }));
            if (!answer) return;
            this.apply(answer);
            document.getElementById("announcements").textContent = action === "undo" ? "Undone" : "Done again";
        });
    }

    key(event) {
        if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
        const key = event.key.toLowerCase();
        if (key !== "z" && !(key === "y" && !event.shiftKey)) return;
        event.preventDefault();
        this.step(key === "y" || event.shiftKey ? "redo" : "undo");
    }

    // Leaving

    /** Saves; resolves to whether the page may be left. */
    async leave() {
        if (!this.isDraft || this.isGone) return true;
        await this.last;
        for (;;) {
            const fields = new FormData(this.form);
            fields.set("action", "save");
            for (const [name, { choice }] of PictureField.all) if (choice) fields.set(`choice.${name}`, choice);
            const answer = await post(this.address, fields);
            if (answer?.go) {
                this.isLeft = true;
                return true;
            }
            if (this.isGone || !answer?.conflict || !(await settle(this.form, answer.conflict))) return this.isGone === true;
            await this.flush();
        }
    }

    /** Handles a page left without a link, by reload, back or a closed window; sends unsent input. */
    hide() {
        clearTimeout(this.retry);
        this.source.close();
        if (!this.isDraft || this.isLeft || this.isGone) return;
        this.sendTyped();
        sessionStorage.setItem("left", this.address);
    }

    sendTyped() {
        if (this.isLeft || this.isGone) return;
        for (const name of this.dirty.keys()) navigator.sendBeacon(this.address, formBody(this.fields(name)));
    }

    /** Saves the draft of a page left without a link, unless this page is a reload of it. */
    static async saveLeft(here) {
        const left = sessionStorage.getItem("left");
        if (!left) return;
        sessionStorage.removeItem("left");
        if (left === here) return;
        try {
            const response = await fetch(left, {
                method: "POST",
                headers: { Accept: "application/json" },
                body: new URLSearchParams({ action: "save" }),
            });
            if (response.ok || response.status === 404) return;
            const { alert, conflict } = await response.json();
            await showAlert(alert ?? { title: conflict.title, message: conflict.message });
            location.assign(left);
        } catch {
            sessionStorage.setItem("left", left);
        }
    }
}

function startForm() {
    const form = document.getElementById("form");
    if (form?.dataset.version) window.liveForm = new LiveForm(form);
    return LiveForm.saveLeft(window.liveForm?.isDraft ? window.liveForm.address : null);
}
