// What text may become HTML or the address of a script. The Content-Security-Policy lets nothing else do that:
// htmx parses what the server rendered and escaped, into a document that stands by itself and runs nothing; workers come
// from our own static files. Everything else (innerHTML, document.write, eval) is refused, ours and others' alike.
(() => {
  const parsers = ["Document parseHTMLUnsafe", "DOMParser parseFromString"];
  const files = new URL("../", document.currentScript.src).href;

  window.trustedTypes?.createPolicy("default", {
    createHTML: (text, _type, sink) => (parsers.includes(sink) ? text : null),
    createScriptURL: (text) => (new URL(text, location.href).href.startsWith(files) ? text : null),
  });
})();
