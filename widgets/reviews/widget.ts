// What do others think? The app's own server answers later, and is asked once for each product and language.
import { afterPrice, date, meanwhile, number } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

/** What the server answers: `{ "average": 4.6, "count": 23, "reviews": [...] }`, the newest review first. */
interface Answer {
  average: number;
  count: number;
  reviews: { author: string; stars: number; text: string; day: string }[];
}

const LONGEST_WAIT_MS = 10_000;

const answers = new Map<string, Promise<Answer>>();

function ask(address: string): Promise<Answer> {
  let answer = answers.get(address);
  if (!answer) {
    answer = fetch(address, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) }).then((response) => {
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      return response.json() as Promise<Answer>;
    });
    answers.set(address, answer);
    // After a failure, the next update asks again.
    answer.catch(() => answers.delete(address));
  }
  return answer;
}

export default afterPrice<Data>(({ item, language, data, t }) => {
  const note = (text: string) => view({ t, answered: false, note: text });
  /** The parts of a drawing by half stars; false for what is no rating, such as 99. */
  const score = (stars: number) => {
    const drawn = Math.round(stars * 2) / 2;
    const shown = number(stars, language, 1);
    return (
      typeof stars == "number" &&
      stars >= 0 &&
      stars <= 5 && {
        full: "★★★★★".slice(0, drawn),
        half: drawn % 1 > 0,
        empty: "☆☆☆☆☆".slice(drawn + 0.5),
        shown,
        label: t("rating", { stars: shown }),
      }
    );
  };
  return (
    data.server &&
    meanwhile(
      note(t("loading")),
      ask(`${data.server}?product=${encodeURIComponent(item.id)}&language=${language}`)
        .then(({ average, count, reviews }) =>
          count > 0
            ? view({
                t,
                answered: true,
                count,
                shown: number(count, language),
                average: score(average),
                reviews: reviews.slice(0, data.most).map(({ author, stars, text, day }) => ({
                  author,
                  text,
                  score: score(stars),
                  day: date(day, language),
                })),
              })
            : note(t("none")),
        )
        .catch(() => note(t("failed"))),
    )
  );
});
