// Where does the shopper want to fetch the order? The points come late, from the app's server, and once for all updates.
import { afterCheckout, live, meanwhile, remembered } from "awning";
import type { Data } from "./data.schema";
import { SERVER, loadPoints, type Point } from "./points";
import view from "./view.html.j2";

let loading: Promise<Point[] | undefined> | undefined;

export default afterCheckout<Data>(
  live(
    ({ data: { most }, t }) =>
      meanwhile(
        view({ t, waiting: true, points: [], failed: false }),
        (loading ??= loadPoints()).then((points) => {
          // After a failure, the next update asks again.
          if (!points) loading = undefined;
          return view({ t, waiting: false, points: points?.slice(0, most) ?? [], failed: !points });
        }),
      ),
    remembered({
      on: {
        "change .radio": (event, radio) => {
          if (event.isTrusted) navigator.sendBeacon(`${SERVER}/choice`, (radio as HTMLInputElement).value);
        },
      },
    }),
  ),
);
