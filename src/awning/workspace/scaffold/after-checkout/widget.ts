// How much does a discount save? Called for the page, and again whenever the total changes.
import { afterCheckout, money } from "awning";
import view from "./view.html.j2";

export default afterCheckout(({ cart, currency, t }) => {
  const saved = cart.total_no_discount - cart.total;
  return view({ t, saved: saved > 0 ? money(saved, currency) : "" });
});
