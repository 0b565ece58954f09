// Moves the code of a one-time link from the address into the form, and out of the browser's history.
const code = decodeURIComponent(location.hash.slice(1));
const field = document.getElementById("id_code");
if (code && field) {
  field.value = code;
  history.replaceState(null, "", location.pathname);
  field.form.querySelector("button[type=submit]").focus();
}
