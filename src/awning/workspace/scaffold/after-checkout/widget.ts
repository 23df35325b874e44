// Shows how much a discount saves. awning calls the function for the page, and again whenever the total changes.
import { afterCheckout } from "awning";
import view from "./view.html.j2";

export default afterCheckout(({ cart, currency, t }) =>
  view({ t, currency, saved: Math.max(0, cart.total_no_discount - cart.total) }),
);
