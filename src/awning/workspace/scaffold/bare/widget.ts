import { $function } from "awning";
import view from "./view.html.j2";

export default $function(({ t }) => view({ t }));
