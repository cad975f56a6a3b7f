// Deletion of rows by swipe, by key and in Edit mode, and arrow keys to move between rows. Started by screens.js.
"use strict";

class RowGestures {
    constructor(element) {
        this.element = element;
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("dragstart", (event) => event.preventDefault());
        const edit = document.getElementById("edit");
        if (!edit) return;
        edit.hidden = element.classList.contains("searching");
        edit.addEventListener("click", () => this.setEditing(!element.classList.contains("editing")));
        if (!element.classList.contains("deletable")) return;
        element.addEventListener("click", (event) => this.click(event), true);
        element.addEventListener("pointerdown", (event) => this.down(event));
        element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        document.addEventListener("pointerdown", (event) => {
            if (!event.target.closest(".revealed")) this.reveal(null);
        });
    }

    setEditing(isEditing) {
        const edit = document.getElementById("edit");
        this.element.classList.toggle("editing", isEditing);
        edit.textContent = isEditing ? "Done" : "Edit";
        edit.setAttribute("aria-pressed", String(isEditing));
        this.reveal(null);
    }

    /** Disables editing during a search. */
    setSearching(isSearching) {
        this.element.classList.toggle("searching", isSearching);
        const edit = document.getElementById("edit");
        if (!edit) return;
        edit.hidden = isSearching;
        if (isSearching) this.setEditing(false);
    }

    /** Whether rows can be deleted now, which a search prevents. */
    get isDeletable() {
        return this.element.classList.contains("deletable") && !this.element.classList.contains("searching");
    }

    reveal(row) {
        for (const other of this.element.querySelectorAll(".revealed")) {
            if (other !== row) other.classList.remove("revealed");
        }
        row?.classList.add("revealed");
    }

    key(event) {
        const row = event.target.closest("li.row");
        if (!row) return;
        if ((event.key === "Delete" || event.key === "Backspace") && this.isDeletable) {
            event.preventDefault();
            this.reveal(row);
            row.querySelector(".delete").focus();
        } else if (event.key === "Escape" && row.classList.contains("revealed")) {
            this.reveal(null);
            row.querySelector(".cell").focus();
        } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            const cells = [...this.element.querySelectorAll(".cell")];
            const step = event.key === "ArrowDown" ? 1 : -1;
            const next = cells[cells.indexOf(row.querySelector(".cell")) + step];
            if (next) {
                event.preventDefault();
                next.focus();
            }
        }
    }

    click(event) {
        const row = event.target.closest("li.row");
        if (event.target.closest(".cell") && (this.hasSwiped || row.classList.contains("revealed"))) {
            event.preventDefault();
            event.stopPropagation();
            if (!this.hasSwiped) this.reveal(null);
            this.hasSwiped = false;
        } else if (event.target.closest(".minus")) {
            this.reveal(row);
            row.querySelector(".delete").focus();
        }
    }

    down(event) {
        this.hasSwiped = false;
        const cell = event.target.closest(".cell");
        if (!cell || event.button || !this.isDeletable) return;
        const row = cell.parentElement;
        const width = row.offsetWidth;
        const origin = row.classList.contains("revealed") ? -row.querySelector(".delete").offsetWidth : 0;
        let shift = origin;
        let isSwiping = false;
        const move = (next) => {
            const across = next.clientX - event.clientX;
            const along = next.clientY - event.clientY;
            if (!isSwiping && Math.abs(across) > 8 && Math.abs(across) > Math.abs(along)) {
                isSwiping = true;
                cell.setPointerCapture(event.pointerId);
                this.reveal(row.classList.contains("revealed") ? row : null);
                row.classList.add("swiping");
            }
            if (isSwiping) {
                shift = Math.min(0, origin + across);
                row.style.setProperty("--shift", `${shift}px`);
                row.querySelector(".delete").style.width = shift < origin ? `${Math.max(88, -shift)}px` : "";
            }
        };
        const end = (last) => {
            cell.removeEventListener("pointermove", move);
            cell.removeEventListener("pointerup", end);
            cell.removeEventListener("pointercancel", end);
            if (!isSwiping) return;
            this.hasSwiped = last.type === "pointerup";
            setTimeout(() => (this.hasSwiped = false), 50);
            row.classList.remove("swiping");
            row.style.removeProperty("--shift");
            row.querySelector(".delete").style.width = "";
            if (-shift > width * 0.6) row.querySelector(".delete").click();
            else if (-shift > 40) this.reveal(row);
            else row.classList.remove("revealed");
        };
        cell.addEventListener("pointermove", move);
        cell.addEventListener("pointerup", end);
        cell.addEventListener("pointercancel", end);
    }

    /** A swipe with two fingers on a trackpad. */
    wheel(event) {
        if (Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        const row = event.target.closest("li.row");
        if (!row || !this.isDeletable) return;
        event.preventDefault();
        if (row !== this.wheelRow) this.wheelSum = 0;
        this.wheelRow = row;
        this.wheelSum += event.deltaX;
        clearTimeout(this.wheelEnd);
        this.wheelEnd = setTimeout(() => (this.wheelSum = 0), 200);
        if (this.wheelSum > 40) this.reveal(row);
        else if (this.wheelSum < -40) this.reveal(null);
    }
}
