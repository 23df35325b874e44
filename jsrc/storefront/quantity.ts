/** The minus and plus buttons beside a quantity. In the cart a changed quantity is sent at once. */

export function watchSteppers(): void {
  document.addEventListener("click", (click) => {
    const button = (click.target as Element).closest<HTMLButtonElement>("[data-step]");
    if (button) step(button);
  });
  document.addEventListener("change", (change) => {
    (change.target as Element).closest<HTMLFormElement>("[data-quantity]")?.requestSubmit();
  });
}

function step(button: HTMLButtonElement): void {
  const input = button.parentElement?.querySelector("input");
  if (!input) return;
  if (button.dataset.step === "1") input.stepUp();
  else input.stepDown();
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
