/* Search in pages that are opened as files: browsers start no worker from a file, so a hidden frame stands in for one.
   The theme's search only needs messages both ways. On a server this does nothing. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html>";
      this.ready = new Promise((resolve) => {
        this.frame.addEventListener("load", () => this.start(address, resolve), { once: true });
      });
      document.documentElement.append(this.frame);
    }

    start(address, resolve) {
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.addEventListener("load", resolve);
      script.src = address;
      inside.document.head.append(script);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
