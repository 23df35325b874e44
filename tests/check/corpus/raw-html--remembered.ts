import { afterPrice, live, remembered } from "awning";
const render = ({ item }) => "<b></b>";
export default afterPrice(live(render, remembered({ mounted: (root) => { root.innerHTML = "<b>" + location.hash.slice(1); } })));
