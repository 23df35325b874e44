/** A template is a module: the compiler of awning turns it into a function that returns HTML. */
declare module "*.html.j2" {
  /** Render the template. Every value is escaped for the place it is put in. */
  export default function render(context: Record<string, unknown>): string;
}
