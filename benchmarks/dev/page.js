// Notes when the page first shows each value: of the element .mark (its text and colour), and of the head's marker.
(() => {
  const times = (window.benchmarkTimes = {});
  const now = () => performance.timeOrigin + performance.now();
  const note = (name) => (times[name] ??= now());
  const look = () => {
    const mark = document.querySelector(".mark");
    if (!mark) return;
    note(`text ${mark.textContent}`);
    note(`colour ${getComputedStyle(mark).color}`);
    note(`head ${document.documentElement.dataset.mark}`);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})();
