/** A template is a module: awning compiles it to a function that returns HTML. */
declare module "*.html.j2" {
  /** Render the template. Each value is escaped for its HTML context. */
  export default function render(context: Record<string, unknown>): string;
}

/** The type of `data`. The first build generates it from data.schema.json; until then it is `any`. */
declare module "*/data.schema" {
  export type Data = any;
}
