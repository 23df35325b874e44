/** A template is a module: awning compiles it to a function that returns HTML. */
declare module "*.html.j2" {
  /** Render the template. Each value is escaped for its HTML context. */
  export default function render(context: Record<string, unknown>): string;
}

/** The type of `data`. The first build generates it from data.schema.json; until then it is `any`. */
declare module "*/data.schema" {
  export type Data = any;
}

/** A picture or a font is a module: the build puts the file into the script as a data URL. */
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.png" {
  const url: string;
  export default url;
}
declare module "*.jpg" {
  const url: string;
  export default url;
}
declare module "*.gif" {
  const url: string;
  export default url;
}
declare module "*.webp" {
  const url: string;
  export default url;
}
declare module "*.avif" {
  const url: string;
  export default url;
}
declare module "*.woff2" {
  const url: string;
  export default url;
}
