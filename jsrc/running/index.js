// The page on which `awning check` runs scripts, as one program for QuickJS.
import "./shims.js";
import "./page.js";
import "./lacking.js";
import "./jquery.js";
import "../emulator/index.ts";
import "./runs.js";
