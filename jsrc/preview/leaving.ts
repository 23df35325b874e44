/** Before a person leaves the settings page with entries that are not saved, the browser asks. */

/** The entries as one text. The choices of the preview are not stored, so they do not count. */
function entriesOf(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].filter(([name]) => !name.startsWith("preview-"));
  return JSON.stringify(entries);
}

/** Ask while the form has unsaved entries. `isUnsaved`: it came with some. `preview` sends the form without leaving. */
export function askBeforeLeaving(form: HTMLFormElement, preview: HTMLButtonElement, isUnsaved: boolean): void {
  const before = entriesOf(form);
  const ask = (event: BeforeUnloadEvent): void => {
    if (isUnsaved || entriesOf(form) !== before) event.preventDefault();
  };
  const start = (): void => addEventListener("beforeunload", ask);
  // Not before a change: in some browsers a page with such a listener is loaded again on the way back.
  form.addEventListener("input", start);
  if (isUnsaved) start();
  document.addEventListener("submit", (event) => {
    if (event.submitter !== preview) removeEventListener("beforeunload", ask);
  });
}
