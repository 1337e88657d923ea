// Copies a text, also where the clipboard may not be written to directly, as in some browsers for pages from disk.

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text) {
  const focused = document.activeElement;
  const field = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused) focused.focus();
  return copied;
}

function makeCopyButton(text, what) {
  const button = makeButton("Copy", async () => {
    const copied = await copyText(text);
    button.textContent = copied ? "Copied" : "Not copied: select it";
    say(copied ? `${what} copied` : "It could not be copied");
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  }, { "aria-label": `Copy ${what}` });
  return button;
}
