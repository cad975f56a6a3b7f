// The parts of forms that screens.js lacks: pictures with a preview, text fields that grow, and the choice between the
// values of two people.
"use strict";

// MARK: Conflicts between two people

/** Shows both values of each field; resolves to the fields that keep the other person's value, or to null. */
function askWhichStay({ title, message, fields }) {
    document.querySelector("dialog.alert")?.remove();
    const dialog = document.createElement("dialog");
    dialog.className = "alert conflicts";
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "alert-title");
    dialog.setAttribute("aria-describedby", "alert-message");
    const make = (name, parent, text = "", className = "") => {
        const element = parent.appendChild(document.createElement(name));
        element.textContent = text;
        if (className) element.className = className;
        return element;
    };
    make("h2", dialog, title).id = "alert-title";
    const form = make("form", dialog);
    form.method = "dialog";
    const body = make("div", form);
    body.id = "alert-message";
    make("p", body, message);
    for (const field of fields) {
        const group = make("fieldset", body, "", "conflict");
        make("legend", group, field.label);
        for (const [choice, whose] of [["mine", "Mine"], ["theirs", "Theirs"]]) {
            const label = make("label", group);
            const radio = make("input", label);
            radio.type = "radio";
            radio.name = field.name;
            radio.value = choice;
            radio.defaultChecked = choice === "mine";
            make("span", label, whose, "conflict-whose");
            const value = make("span", label, field[choice] || "Empty", "conflict-value");
            value.classList.toggle("placeholder", !field[choice]);
            const picture = choice === "theirs" ? pictureAt(field.theirPicture) : PictureField.of(field.name)?.copy();
            if (picture) value.append(picture);
        }
    }
    const buttons = make("div", form, "", "alert-buttons");
    const cancel = make("button", buttons, "Back to the Form");
    cancel.value = "";
    const save = make("button", buttons, "Save");
    save.value = "save";
    document.body.append(dialog);
    const opener = document.activeElement;
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            const theirs = [...form.querySelectorAll("input:checked")].filter((radio) => radio.value === "theirs");
            dialog.remove();
            if (opener?.isConnected) opener.focus();
            resolve(dialog.returnValue === "save" ? theirs.map((radio) => radio.name) : null);
        });
        // Return saves, as in the form, instead of activating the first button.
        form.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.target === cancel) return;
            event.preventDefault();
            dialog.close("save");
        });
        dialog.showModal();
        form.querySelector("input").focus();
    });
}

/** The value that a field sends; for a picture the stamp of the saved one, or null if another file is chosen. */
function fieldValue(field) {
    const picture = PictureField.of(field.name);
    if (picture) return picture.isTouched ? null : picture.stamp;
    if (field.type === "checkbox") return field.checked ? "1" : "0";
    return field.value;
}

/** Whether a field differs from its value when the form was opened. */
function isFieldTouched(field) {
    const before = field.form.elements[`was.${field.name}`];
    return before !== undefined && fieldValue(field) !== before.value;
}

/** Sets a field of the form as user input would. */
function setField(form, name, value) {
    const picture = PictureField.of(name);
    if (picture) {
        picture.revert(value);
        return;
    }
    const field = form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
    if (!field || fieldValue(field) === value) return;
    if (field.type === "checkbox") field.checked = value === "1";
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Asks about each conflict and fills in the answers; resolves to whether to send the form again. */
async function settle(form, conflict) {
    const theirs = await askWhichStay(conflict);
    if (!theirs) return false;
    const { merged, now } = conflict;
    for (const name of Object.keys(now)) {
        const own = name in merged ? merged[name] : now[name];
        const isMine = own !== now[name] && !theirs.includes(name);
        const picture = PictureField.of(name);
        if (!isMine || !picture) setField(form, name, isMine ? own : now[name]);
        // A draft has the picture already, so its form says which one stays.
        if (picture) picture.choice = theirs.includes(name) ? "theirs" : "";
        const opened = form.elements[`was.${name}`];
        if (opened) opened.value = now[name];
    }
    return true;
}

// MARK: Pictures

function pictureAt(address) {
    if (!address) return null;
    const image = document.createElement("img");
    image.src = address;
    image.alt = "";
    return image;
}

/** A picture chosen from a file, pasted or dropped, with a preview before it is saved. */
class PictureField {
    static all = new Map();
    /** The preview's longer side in pixels; the form sends the file itself. */
    static previewSide = 1600;

    static of(name) {
        return PictureField.all.get(name);
    }

    constructor(element) {
        this.element = element;
        this.input = element.querySelector("input[type=file]");
        this.removal = element.querySelector("input[name^='remove.']");
        this.frame = element.querySelector(".picture-frame");
        this.words = element.querySelector(".picture-words");
        this.button = element.querySelector("button.picture-remove");
        this.link = element.querySelector(".picture-open");
        this.label = element.dataset.label;
        this.stamp = this.input.form.elements[`was.${this.input.name}`].value;
        this.files = [];
        PictureField.all.set(this.input.name, this);
        this.input.addEventListener("change", () => this.choose([...this.input.files]));
        this.button.addEventListener("click", () => this.remove());
        // On the whole page: a file dropped beside the frame would otherwise replace the page and lose the input.
        document.addEventListener("dragover", (event) => {
            if (event.dataTransfer.types.includes("Files")) event.preventDefault();
        });
        document.addEventListener("drop", (event) => {
            if (!event.dataTransfer.files.length) return;
            event.preventDefault();
            this.choose([...event.dataTransfer.files]);
        });
        document.addEventListener("paste", (event) => {
            const files = [...event.clipboardData.files];
            // Some programs copy text as a picture as well.
            if (!files.length || event.clipboardData.types.includes("text/plain")) return;
            event.preventDefault();
            this.choose(files);
        });
        this.update();
    }

    /** Whether a file was chosen or the picture removed since the form was opened. */
    get isTouched() {
        return this.files.length > 0 || this.removal.value === "1";
    }

    get picture() {
        return this.frame.querySelector("img, canvas");
    }

    /** Takes the first file if it is a picture within the limit, and otherwise keeps the previous choice. */
    async choose([file]) {
        if (!file) return this.setFiles(this.files);
        const limit = Number(this.element.dataset.limit);
        let message = null;
        let bitmap = null;
        if (file.size > limit) {
            message = `“${file.name}” is larger than ${limit / 1048576} MB. Choose a smaller file.`;
        } else {
            bitmap = this.input.accept.split(",").includes(file.type) ? await createImageBitmap(file).catch(() => null) : null;
            if (!bitmap) message = `“${file.name}” is not a picture that can be shown. Choose a PNG, JPEG, GIF or WebP file.`;
        }
        if (message) {
            this.setFiles(this.files);
            await showAlert({ title: "Not Taken", message });
            return;
        }
        this.setFiles([file]);
        this.removal.value = "";
        this.element.querySelector("input[name^='kept.']")?.remove();
        this.show(this.drawn(bitmap, file.name));
        this.report(`${file.name} chosen`);
    }

    report(words) {
        const isDraft = window.liveForm?.isDraft === true;
        document.getElementById("announcements").textContent = isDraft ? words : `${words}. It is saved with the form.`;
        window.liveForm?.notePicture(this.input.name);
    }

    setFiles(files) {
        const transfer = new DataTransfer();
        for (const file of files) transfer.items.add(file);
        this.input.files = transfer.files;
        this.files = files;
    }

    drawn(bitmap, name) {
        const scale = Math.min(1, PictureField.previewSide / Math.max(bitmap.width, bitmap.height));
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(bitmap.width * scale));
        canvas.height = Math.max(1, Math.round(bitmap.height * scale));
        canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", `Preview of ${name}`);
        bitmap.close();
        return canvas;
    }

    show(picture) {
        this.picture?.remove();
        if (picture) this.frame.prepend(picture);
        this.update();
    }

    update() {
        const hasPicture = this.picture !== null;
        this.frame.classList.toggle("vacant", !hasPicture);
        this.words.textContent = hasPicture ? "Choose Another Picture" : "Choose a Picture";
        this.button.hidden = !hasPicture;
        // An unsaved picture has no address.
        const address = this.frame.querySelector("img")?.src;
        if (this.link) this.link.hidden = !address;
        if (this.link && address) this.link.href = address;
    }

    remove() {
        this.setFiles([]);
        this.removal.value = "1";
        this.element.querySelector("input[name^='kept.']")?.remove();
        this.show(null);
        this.input.focus();
        this.report(`${this.label} removed`);
    }

    /** Discards the local change, and shows the server's picture with this stamp. */
    revert(stamp) {
        if (stamp === this.stamp && !this.files.length && !this.removal.value) return;
        this.stamp = stamp;
        this.setFiles([]);
        this.removal.value = "";
        const image = stamp && pictureAt(`${this.element.dataset.picture}&-stamp=${encodeURIComponent(stamp)}`);
        if (image) image.alt = this.label;
        this.show(image || null);
    }

    /** Returns a small copy of the picture shown. */
    copy() {
        const picture = this.picture;
        if (!(picture instanceof HTMLCanvasElement)) return picture?.cloneNode() ?? null;
        const canvas = document.createElement("canvas");
        const scale = 240 / Math.max(picture.width, picture.height);
        canvas.width = Math.max(1, Math.round(picture.width * scale));
        canvas.height = Math.max(1, Math.round(picture.height * scale));
        canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
        return canvas;
    }
}

// MARK: Start

for (const element of document.querySelectorAll("[data-picture]")) new PictureField(element);

/** Grows text fields with their text, in browsers without `field-sizing`. */
for (const area of CSS.supports("field-sizing", "content") ? [] : document.querySelectorAll("textarea")) {
    const grow = () => {
        area.style.height = "auto";
        area.style.height = `${area.scrollHeight}px`;
    };
    area.addEventListener("input", grow);
    grow();
}
