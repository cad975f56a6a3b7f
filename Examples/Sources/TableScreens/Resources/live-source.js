// The event streams of a page. The tabs of a browser share one stream, which a worker reads, because a browser opens only
// six connections to a server. Without shared workers each source has its own. Used by tables.js and drafts.js.
"use strict";

/** The events of one address, with the interface of EventSource. */
class LiveSource extends EventTarget {
    static worker = null;
    static all = new Map();
    static count = 0;

    /** Returns the events of an address since a version. */
    static open(address, version) {
        const script = document.body.dataset.worker;
        if (script && typeof SharedWorker !== "undefined") return new LiveSource(script, address, version);
        return LiveSource.own(address, version);
    }

    static own(address, version) {
        const since = `${address.includes("?") ? "&" : "?"}-since=${encodeURIComponent(version)}`;
        return new EventSource(address + since);
    }

    /** Shows that a source is lost, and lets its reader connect again if the source has ended. */
    static retry(source, reader) {
        source.addEventListener("error", () => {
            showLost(true);
            if (source.readyState !== EventSource.CLOSED) return;
            clearTimeout(reader.retry);
            reader.retry = setTimeout(() => reader.connect(), 1000);
        });
    }

    constructor(script, address, version) {
        super();
        this.number = (LiveSource.count += 1);
        this.readyState = EventSource.CONNECTING;
        this.address = address;
        this.version = version;
        LiveSource.all.set(this.number, this);
        if (!LiveSource.worker) {
            LiveSource.worker = new SharedWorker(script);
            LiveSource.worker.port.onmessage = ({ data }) => LiveSource.all.get(data.number)?.receive(data);
            LiveSource.worker.onerror = () => {
                // The script cannot run: continue with streams of the page's own.
                delete document.body.dataset.worker;
                for (const source of [...LiveSource.all.values()]) source.fall();
            };
        }
        LiveSource.worker.port.postMessage({ verb: "open", number: this.number, address, version });
    }

    receive({ kind, id, data }) {
        if (kind === "open") this.readyState = EventSource.OPEN;
        if (kind === "error") this.readyState = EventSource.CONNECTING;
        if (id) this.version = id;
        this.dispatchEvent(new MessageEvent(kind, { data, lastEventId: id ?? "" }));
    }

    /** Replaces the worker's stream by one of the page's own. */
    fall() {
        const own = (this.replacement = LiveSource.own(this.address, this.version));
        for (const kind of ["open", "error", "change", "refresh", "gone", "job"]) {
            own.addEventListener(kind, (event) => {
                this.readyState = own.readyState;
                this.dispatchEvent(new MessageEvent(kind, { data: event.data, lastEventId: event.lastEventId ?? "" }));
            });
        }
    }

    close() {
        this.readyState = EventSource.CLOSED;
        LiveSource.all.delete(this.number);
        this.replacement?.close();
        LiveSource.worker.port.postMessage({ verb: "close", number: this.number });
    }
}
