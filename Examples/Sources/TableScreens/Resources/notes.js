// The note after a deletion, with a button that undoes it. It stays for ten seconds, also on the next screens of the application in the tab.
// Several deletions in a row are undone one after the other, the latest first. Used by screens.js.
"use strict";

class DeletionNotes {
    static time = 10_000;

    constructor() {
        this.element = null;
        /** The deletions of this tab: their notes, their tokens, and the moments until which they are shown. */
        this.notes = JSON.parse(sessionStorage.getItem("deletions") ?? "[]");
        addEventListener("pageshow", () => {
            this.notes = JSON.parse(sessionStorage.getItem("deletions") ?? "[]");
            this.show();
        });
        this.show();
    }

    /** Undoes the latest deletion when its keys are pressed in a window: this one, or the frame beside the list. */
    follow(view) {
        view.document.addEventListener("keydown", (event) => {
            const isField = event.target.closest?.("input, textarea, select, dialog");
            if (!this.element || isField || view.liveForm?.isDraft || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== "z") return;
            event.preventDefault();
            this.undo();
        });
    }

    add({ note, token }) {
        this.notes.push({ note, token, until: Date.now() + DeletionNotes.time, application: location.pathname.split("/")[1] });
        document.getElementById("announcements").textContent = token ? `${note}. Undo is available.` : note;
        this.show();
    }

    show() {
        this.notes = this.notes.filter(({ until }) => until > Date.now());
        const here = location.pathname.split("/")[1];
        sessionStorage.setItem("deletions", JSON.stringify(this.notes));
        clearTimeout(this.timer);
        const last = this.notes.findLast(({ application }) => application === here);
        if (!last) {
            this.element?.remove();
            this.element = null;
            this.shown = null;
            return;
        }
        if (!this.element) {
            this.element = document.body.appendChild(document.createElement("section"));
            this.element.className = "deletion";
            this.element.setAttribute("aria-label", "Deletion");
            // The time stops while the pointer or the focus is in the note.
            for (const kind of ["pointerenter", "focusin"]) this.element.addEventListener(kind, () => this.hold());
            for (const kind of ["pointerleave", "focusout"]) this.element.addEventListener(kind, () => this.letGo());
        }
        this.shown = last;
        const words = document.createElement("p");
        words.textContent = last.note;
        this.element.replaceChildren(words);
        if (last.token) {
            const button = this.element.appendChild(document.createElement("button"));
            button.type = "button";
            button.textContent = "Undo";
            button.addEventListener("click", () => this.undo());
        }
        if (!this.isHeld) this.timer = setTimeout(() => this.show(), last.until - Date.now());
    }

    hold() {
        this.isHeld = true;
        clearTimeout(this.timer);
    }

    letGo() {
        if (!this.isHeld) return;
        this.isHeld = false;
        for (const note of this.notes) note.until = Math.max(note.until, Date.now() + DeletionNotes.time / 2);
        this.show();
    }

    async undo() {
        const last = this.shown;
        if (!last?.token) return;
        this.notes = this.notes.filter((one) => one !== last);
        this.isHeld = false;
        this.show();
        try {
            const response = await fetch(`/${last.application}/-undo`, {
                method: "POST",
                headers: { Accept: "application/json" },
                body: new URLSearchParams({ token: last.token }),
            });
            const { alert } = await response.json();
            if (alert) await showAlert({ ...alert, title: "Not Undone" });
            else document.getElementById("announcements").textContent = "Brought back";
        } catch {
            this.notes.push({ ...last, until: Date.now() + DeletionNotes.time });
            this.show();
            await showAlert({ ...unreachable, message: "Try again in a moment." });
        }
    }
}

/** The window of the list shows the notes of the frame beside it, too: two notes would cover each other. */
const deletions = (parent !== window && parent.deletionNotes) || new DeletionNotes();
deletions.follow(window);
window.deletionNotes = deletions;
