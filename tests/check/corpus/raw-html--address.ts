import { afterPrice, live } from "awning";
const render = ({ item }) => "<b></b>";
export default afterPrice(live(render, { mounted: (root) => { root.innerHTML = "<b>" + location.hash.slice(1); } }));
