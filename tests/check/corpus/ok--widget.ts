import { afterPrice } from "awning";
import view from "./view.html.j2";
export default afterPrice(({ item }) => (item.stock === 0 ? "<p>Sold out</p>" : view({ name: item.name })));
