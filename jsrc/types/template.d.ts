/** A template is a module: the compiler of awning turns it into a function that returns HTML. */
declare module "*.html.j2" {
  /** Render the template. Every value is escaped for the place it is put in. */
  export default function render(context: Record<string, unknown>): string;
}

/** The type of `data`, made from data.schema.json by the first build; until then nothing is known of it. */
declare module "*/data.schema" {
  export type Data = any;
}
