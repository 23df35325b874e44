// Shows a note. awning calls the function for the page, and again for every update of the page.
import { $function } from "awning";
import view from "./view.html.j2";

export default $function(({ t }) => view({ t }));
