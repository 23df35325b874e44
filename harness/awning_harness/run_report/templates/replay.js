/* Shows one step of each replay, which buttons and the arrow keys choose. */
for (const replay of document.querySelectorAll("[data-replay]")) {
  const steps = [...replay.querySelectorAll(".replay-step")];
  const buttons = [...replay.querySelectorAll("[data-step]")];
  const [back, next] = replay.querySelectorAll("[data-move]");
  let current = 0;
  const show = (number) => {
    current = Math.max(0, Math.min(steps.length - 1, number));
    steps.forEach((step, index) => step.classList.toggle("is-current", index === current));
    buttons.forEach((button, index) => index === current ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
    back.disabled = current === 0;
    next.disabled = current === steps.length - 1;
  };
  const focus = () => {
    buttons[current].focus({ preventScroll: true });
    buttons[current].scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  replay.classList.add("is-stepped");
  replay.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step], [data-move]");
    if (!button) return;
    show(button.dataset.step === undefined ? current + Number(button.dataset.move) : Number(button.dataset.step));
    if (button.disabled) focus();
  });
  replay.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(".events, details")) return;
    event.preventDefault();
    show(current + move);
    focus();
  });
  show(Number(replay.dataset.replay));
}
