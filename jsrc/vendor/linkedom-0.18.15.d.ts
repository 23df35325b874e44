/** The part of linkedom's types that `jsrc/running` needs. Its objects are used as those of a browser. */
export function parseHTML(html: string): { window: Record<string, any>; document: Document };
export const DOMParser: new () => { parseFromString(text: string, type: string): Document };
