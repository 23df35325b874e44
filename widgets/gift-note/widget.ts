// A note for a gift, which the app's own server gets. Typed text survives updates (`live`) and reloads (`remembered`).
import { afterCart, live, remembered, type CartArgs } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

const SERVER = "https://gifts.example.com/notes";

let t: CartArgs["t"];

const say = (form: Element, text: string): void => {
  (form.querySelector(".said") as Element).textContent = text;
};

const noteOf = (form: HTMLFormElement): string => JSON.stringify(Object.fromEntries(new FormData(form)));

/** Send a note as text, so that the browser needs no permission (CORS preflight). Return whether the server took it. */
const send = (body: string): Promise<boolean> =>
  fetch(SERVER, { method: "POST", body }).then(
    ({ ok }) => ok,
    () => false,
  );

const save = async (form: HTMLFormElement): Promise<void> => {
  const note = noteOf(form);
  const isSaved = await send(note);
  // If another text was typed meanwhile, the answer is not about it.
  if (note === noteOf(form)) say(form, t(isSaved ? "saved" : "not-saved"));
};

/** An empty note takes back one that was saved, perhaps before a reload. */
const remove = async (form: HTMLFormElement): Promise<void> => {
  if (!(await send("{}"))) say(form, t("not-removed"));
};

export default afterCart<Data>(
  live(
    (args) => {
      ({ t } = args);
      return view({ t, longest: args.data.longest, price: args.data.price, currency: args.currency });
    },
    remembered({
      on: {
        "input form": (event, form) => {
          const note = form.querySelector("textarea") as HTMLTextAreaElement;
          (form.querySelector(".left") as Element).textContent = t("left", { count: note.maxLength - note.value.length });
          say(form, "");
          // After a reload, `remembered` puts the note back and fires this event: the details open to show it.
          if (!event.isTrusted) (form.parentElement as HTMLDetailsElement).open = true;
        },
        "submit form": (event, form) => {
          event.preventDefault();
          void save(form as HTMLFormElement);
        },
        "reset form": (_event, form) => {
          // During this event, the fields still have their texts.
          if (form.querySelector("textarea")?.value) void remove(form as HTMLFormElement);
          (form.querySelector(".left") as Element).textContent = "";
          say(form, "");
        },
      },
    }),
  ),
);
