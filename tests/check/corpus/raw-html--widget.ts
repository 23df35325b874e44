import { afterPrice } from "awning";
export default afterPrice(({ item }) => `<p>${item.name}</p>`);
