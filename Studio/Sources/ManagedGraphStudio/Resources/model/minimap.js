// A small picture of the whole diagram with the visible part marked; dragging in it moves the view. Used by diagram.js.
"use strict";

import { bounds } from "./geometry.js";
import { shape } from "./shapes.js";

const size = { width: 176, height: 112 };

export class Minimap {
    /** `look(x, y)` centres the view on a place of the diagram. */
    constructor(look) {
        this.cards = shape("path", { class: "map-cards" });
        this.view = shape("rect", { class: "map-view", rx: 2 });
        this.root = shape("svg", { class: "minimap", width: size.width, height: size.height, "aria-hidden": "true" }, this.cards, this.view);
        this.area = { x: 0, y: 0, width: 1, height: 1 };
        let isHeld = false;
        const move = (event) => {
            const box = this.root.getBoundingClientRect();
            look(this.area.x + ((event.clientX - box.left) / box.width) * this.area.width, this.area.y + ((event.clientY - box.top) / box.height) * this.area.height);
        };
        this.root.addEventListener("pointerdown", (event) => {
            isHeld = true;
            this.root.setPointerCapture(event.pointerId);
            move(event);
        });
        this.root.addEventListener("pointermove", (event) => isHeld && move(event));
        this.root.addEventListener("pointerup", () => (isHeld = false));
    }

    /** Draws the cards. */
    draw(boxes) {
        const all = bounds(boxes);
        const wide = Math.max(all.width * 1.1, (all.height * 1.1 * size.width) / size.height, 400);
        const high = (wide * size.height) / size.width;
        this.area = { x: all.x + all.width / 2 - wide / 2, y: all.y + all.height / 2 - high / 2, width: wide, height: high };
        this.root.setAttribute("viewBox", `${this.area.x} ${this.area.y} ${wide} ${high}`);
        let path = "";
        for (const { x, y, width, height } of boxes) path += `M${x} ${y}h${width}v${height}h${-width}z`;
        this.cards.setAttribute("d", path);
    }

    /** Marks the visible part. */
    mark({ x, y, width, height }) {
        for (const [key, value] of Object.entries({ x, y, width, height })) this.view.setAttribute(key, value);
    }
}
