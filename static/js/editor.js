// YAML editors in place of the textareas of a form. Without this script the textareas are what is edited.
/* global ace */

ace.config.set("useStrictCSP", true);
// Ace empties elements by innerHTML, which the policy on trusted types refuses.
ace.require("ace/lib/dom").removeChildren = (element) => element.replaceChildren();
const { Editor } = ace.require("ace/editor");
const { VirtualRenderer } = ace.require("ace/virtual_renderer");
const theme = { cssClass: "ace-berth", isDark: false, cssText: "" };
const editors = new Map();

function enhance(textarea) {
  const box = document.createElement("div");
  textarea.before(box);
  const label = document.querySelector(`label[for="${textarea.id}"]`);
  const session = ace.createEditSession(textarea.value);
  // The mode would start a worker from an address of its own, to check what the server checks.
  session.setUseWorker(false);
  session.setMode("ace/mode/yaml");
  const editor = new Editor(new VirtualRenderer(box, theme), session, {
    minLines: 10,
    maxLines: 34,
    tabSize: 2,
    useSoftTabs: true,
    showPrintMargin: false,
    // Tab goes past the editor; Enter begins to edit and Escape leaves.
    enableKeyboardAccessibility: true,
    textInputAriaLabel: label.textContent.trim(),
    fontFamily: getComputedStyle(textarea).fontFamily,
  });
  // As ace.edit leaves it to be found.
  box.env = { editor };
  // The browser's own search finds what is on the page; Ace's box is not shipped.
  for (const name of ["find", "replace", "findnext", "findprevious", "showSettingsMenu", "openCommandPalette"]) editor.commands.removeCommand(name);
  const problems = document.getElementById(`${textarea.id}_problems`);
  if (problems) {
    // Each is [line, field, problem, remedy].
    const found = JSON.parse(problems.textContent);
    editor.session.setAnnotations(
      found.filter(([line]) => line).map(([line, , problem, remedy]) => ({ row: line - 1, text: `${problem} ${remedy}`, type: "error" })),
    );
  }
  editor.session.on("change", () => {
    textarea.value = editor.getValue();
  });
  textarea.hidden = true;
  label.addEventListener("click", (event) => {
    event.preventDefault();
    editor.focus();
  });
  editors.set(textarea.id, editor);
}

function enhanceAll(root) {
  for (const textarea of root.querySelectorAll("textarea[data-editor]")) enhance(textarea);
  for (const hint of root.querySelectorAll(".what-if-keys")) hint.hidden = false;
  // An editor that was folded away could not measure itself.
  for (const folded of root.querySelectorAll("details.what-if-configuration")) {
    folded.addEventListener("toggle", () => {
      for (const editor of editors.values()) editor.resize(true);
    });
  }
}

enhanceAll(document);
// A form that htmx brings anew has textareas again.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.elt.isConnected && !detail.elt.querySelector(".ace_editor")) enhanceAll(detail.elt);
});
// The editors that stood in what was replaced are gone with it.
document.addEventListener("berth:replaced", (event) => {
  for (const [id, editor] of editors) {
    if (editor.container.isConnected) continue;
    editor.destroy();
    editors.delete(id);
  }
  enhanceAll(event.target);
});

for (const link of document.querySelectorAll("a[data-editor-line]")) {
  link.addEventListener("click", (event) => {
    const editor = editors.get(link.hash.slice(1));
    if (!editor) return;
    event.preventDefault();
    const folded = editor.container.closest("details");
    if (folded) folded.open = true;
    editor.gotoLine(Number(link.dataset.editorLine), 0);
    editor.container.scrollIntoView({ block: "nearest" });
    editor.focus();
  });
}
