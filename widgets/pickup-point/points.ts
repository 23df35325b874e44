/** The app's own server: `/points.json` has the points, `/choice` takes the chosen one. */
export const SERVER = "https://points.example.com";

export interface Point {
  id: string;
  name: string;
  address: string;
  hours?: string;
}

/** Load the points. Undefined when the server is down, or answers something else. */
export const loadPoints = async (): Promise<Point[] | undefined> => {
  try {
    const { points } = (await (await fetch(`${SERVER}/points.json`)).json()) as { points: Point[] };
    return points.filter(({ id, name }) => id && name);
  } catch {
    return undefined;
  }
};
