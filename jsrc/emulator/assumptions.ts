/**
 * The present answers to the questions that the specification leaves open.
 *
 * `AWNING_ASSUMPTIONS` has the questions with their possible answers (`awning.contract.assumptions.events`). An
 * assumption set has one answer to each question. `configure` chooses a set and changes single answers.
 */
import { jQueryVersion } from "./jquery.ts";

export type Answers = Record<string, string>;

/** The name of an assumption set, or an object with single answers and the key `assumptionSet` for the set. */
export type Configuration = string | Record<string, string | boolean>;

export interface Assumptions {
  /** The major version of the jQuery that was loaded before the emulator; 0 for none. It does not change later. */
  readonly jquery: number;
  /** Whether the answer to `id` is `answer`. */
  is(id: string, answer: string): boolean;
  /** Change answers. For an unknown set, id or answer it throws and changes nothing. */
  configure(configuration: Configuration): void;
  /** A copy of the present answers. Answers that the page's version of jQuery makes impossible are replaced. */
  answers(): Answers;
}

export function makeAssumptions(): Assumptions {
  let answers = ofSet("observed");
  const jquery = jQueryVersion();
  return {
    jquery,
    is: (id, answer) => answers[id] === answer,
    configure(configuration) {
      const { assumptionSet, ...single } =
        typeof configuration === "string" ? { assumptionSet: configuration } : configuration;
      answers = { ...(assumptionSet === undefined ? answers : ofSet(String(assumptionSet))), ...checked(single) };
    },
    answers: () => inForce(answers, jquery),
  };
}

/**
 * Replace the answers that are not possible with this version of jQuery.
 *
 * jQuery's events need jQuery. A ready handler that throws stops the other handlers only in jQuery before version 3.
 */
function inForce(answers: Answers, jquery: number): Answers {
  return {
    ...answers,
    ...(!jquery && answers["live-event"] === "jquery" && { "live-event": "native" }),
    ...(!callsReadyAtOnce(jquery) && { "foreign-ready-throw": "survive" }),
  };
}

/** Whether jQuery runs a handler at once when the page is already ready. From version 3 on, jQuery always runs it later. */
export function callsReadyAtOnce(jquery: number): boolean {
  return jquery > 0 && jquery < 3;
}

function ofSet(name: string): Answers {
  const sets = Object.keys(Object.values(AWNING_ASSUMPTIONS)[0]?.sets ?? {});
  if (!sets.includes(name)) {
    throw new Error(`there is no assumption set "${name}"; there are ${sets.join(", ")}`);
  }
  return Object.fromEntries(Object.entries(AWNING_ASSUMPTIONS).map(([id, { sets }]) => [id, sets[name] as string]));
}

function checked(single: Record<string, string | boolean>): Answers {
  return Object.fromEntries(Object.entries(single).map(([id, answer]) => [id, checkedAnswer(id, answer)]));
}

function checkedAnswer(id: string, answer: string | boolean): string {
  const alternatives = Object.hasOwn(AWNING_ASSUMPTIONS, id) && AWNING_ASSUMPTIONS[id]?.alternatives;
  if (!alternatives) {
    throw new Error(`there is no assumption "${id}"; there are ${Object.keys(AWNING_ASSUMPTIONS).join(", ")}`);
  }
  const text = answer === true ? "on" : answer === false ? "off" : answer;
  if (!alternatives.includes(text)) {
    throw new Error(`"${text}" is no answer to ${id}; there are ${alternatives.join(", ")}`);
  }
  return text;
}
