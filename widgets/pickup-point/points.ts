/** The app's own server: `/points.json` has the points, `/choice` takes the chosen one. */
export const SERVER = "https://points.example.com";

export interface Point {
  id: string;
  name: string;
  address: string;
  hours?: string;
}

const LONGEST_WAIT_MS = 10_000;

/** Load the points. Undefined when the server is down, takes too long, or answers something else. */
export const loadPoints = async (): Promise<Point[] | undefined> => {
  try {
    const response = await fetch(`${SERVER}/points.json`, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    const { points } = (await response.json()) as { points: Point[] };
    return points.filter(({ id, name }) => id && name);
  } catch {
    return undefined;
  }
};
