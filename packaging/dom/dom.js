export { DOMParser, parseHTML } from "linkedom";
