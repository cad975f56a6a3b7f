// The section Live.
"use strict";

import { element } from "../shell/elements.js";

export async function show({ main, api }) {
    const stores = await api("stores");
    main.append(element("div", { class: "page" }, element("h1", {}, "Live"), ...stores.map((path) => element("p", {}, path))));
    return { leave() {} };
}
