// What text may become HTML. The Content-Security-Policy lets nothing else turn a string into elements or scripts:
// htmx parses what the server rendered and escaped, into a document that stands by itself and runs nothing; everything
// else (innerHTML, document.write, eval, the source of a script) is refused, ours and others' alike.
const PARSERS = ["Document parseHTMLUnsafe", "DOMParser parseFromString"];

window.trustedTypes?.createPolicy("default", {
  createHTML: (text, _type, sink) => (PARSERS.includes(sink) ? text : null),
});
