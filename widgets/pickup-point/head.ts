// Opens the connection to the app's server while the page is still loading: the answer comes a few round trips earlier.
// This runs on every page. The checkout's address is not documented: if it is another one, the answer only comes later.
import { SERVER } from "./points";

if (/checkout/i.test(location.pathname)) {
  const link = document.createElement("link");
  link.rel = "preconnect";
  link.href = SERVER;
  link.crossOrigin = "anonymous";
  document.head.append(link);
}
