/** The inspector's style, for its shadow root. */
export const STYLE = `
:host{all:initial;direction:ltr;--ink:#1f2a26;--soft:#5d6963;--line:#dfe4e0;--paper:#fcfdfc;--wash:#f1f5f2;--leaf:#22644a;--bad:#a5312a;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
*{box-sizing:border-box}
[hidden]{display:none!important}
.panel{position:fixed;inset:auto 0 0 0;z-index:2147483000;font:13px/1.45 var(--sans);color:var(--ink);pointer-events:none}
.panel>*{pointer-events:auto}
button,input,select{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--leaf);outline-offset:2px}
.pill{position:absolute;right:0;bottom:14px;display:flex;align-items:center;gap:7px;width:19px;padding:11px 0;writing-mode:vertical-rl;white-space:nowrap;border:1px solid #0002;border-right:0;border-radius:7px 0 0 7px;background:var(--ink);color:#fff;font-size:11px;line-height:17px;font-weight:600;box-shadow:0 2px 10px #0003}
.pill i{flex:none;width:8px;height:8px;border-radius:50%;background:#6fd3a3}
.has-violations .pill i{background:#f0b24a}
.is-bad .pill i{background:#ff7d72}
.summary{font-weight:400;color:#cdd8d2}
.sheet{height:min(300px,55vh);display:flex;flex-direction:column;background:var(--paper);border-top:1px solid var(--line);box-shadow:0 -6px 24px #0002}
header{display:flex;align-items:center;gap:12px;padding:0 12px;border-bottom:1px solid var(--line);background:var(--wash);min-height:42px}
.tabs{display:flex;gap:2px;margin-right:auto;align-self:stretch}
.tabs button{border:0;background:none;padding:0 12px;color:var(--soft);border-bottom:2px solid transparent;margin-bottom:-1px;white-space:nowrap}
.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-color:var(--leaf)}
.status{color:var(--soft);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.is-bad .status,.wrong{color:var(--bad);font-weight:600}
.quiet{border:1px solid var(--line);background:#fff;border-radius:7px;padding:4px 10px}
.quiet:hover{border-color:var(--soft)}
.body{flex:1;overflow:auto;padding:10px 14px 16px;outline-offset:-2px}
.dim{color:var(--soft);margin:6px 0}
table{border-collapse:collapse;width:100%}
th{position:sticky;top:-10px;background:var(--paper);text-align:left;font-weight:600;color:var(--soft);font-size:12px;padding:4px 10px 6px 0;border-bottom:1px solid var(--line)}
td{padding:4px 10px 4px 0;vertical-align:top;border-bottom:1px solid #edf0ee;white-space:nowrap}
.number{font-variant-numeric:tabular-nums;color:var(--soft)}
.detail{width:60%;white-space:normal;overflow-wrap:anywhere}
code,pre{font-family:var(--mono);font-size:12px}
.kind{font-weight:600}
.kind-subscribe .kind{color:var(--soft);font-weight:400}
.kind-init .kind,.kind-content .kind{color:var(--leaf)}
.kind-violation,.kind-exception{background:#fdf0ee}
.kind-violation .kind,.kind-exception .kind,.kind-violation code,.kind-exception code{color:var(--bad)}
.place{margin-left:10px;font-family:var(--mono);font-size:12px;font-weight:600}
.page,.data>fieldset,.group{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr));gap:6px 28px;align-items:start;max-width:1200px}
.data>fieldset{margin-bottom:18px}
.page{grid-template-columns:repeat(auto-fill,minmax(190px,1fr))}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{padding:0;font-weight:600;margin-bottom:6px}
.field{display:block;margin-bottom:9px}
.field-title{display:block;margin-bottom:3px}
.field small{display:block;color:var(--soft);font-size:12px}
.field input:not([type=checkbox]),.field select{width:100%;height:32px;padding:0 9px;border:1px solid #9aa79f;border-radius:7px;background:#fff}
.is-boolean{display:flex;flex-direction:row-reverse;justify-content:flex-end;align-items:flex-start;gap:8px}
.is-boolean input{width:16px;height:16px;margin:1px 0 0;accent-color:var(--leaf);flex:none}
.group{grid-column:1/-1;border-inline-start:2px solid var(--line);padding-inline-start:12px;margin:4px 0 12px}
.group>legend{font-size:13px}
.group>.dim,.is-rows{grid-column:1/-1}
.is-list{margin-bottom:14px}
.is-choices{display:flex;flex-wrap:wrap;gap:2px 14px}
.is-choices>.field-title,.is-choices>.problem{flex:0 0 100%}
.is-choices .field{margin:0}
.rows{list-style:none;margin:0 0 6px;padding:0;display:grid;gap:6px}
.row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:8px;align-items:start;padding:8px 10px;border:1px solid var(--line);border-radius:8px;background:#fff}
.row.is-single{padding:0;border:0;background:none;align-items:start}
.row>fieldset{grid-column:auto;grid-template-columns:repeat(auto-fit,minmax(min(100%,130px),1fr));gap:6px 12px;align-items:start;border:0;padding:0;margin:0}
.row .is-boolean{padding-top:24px}
.row>button{margin:0 0 2px}
.row .field{margin:0}
.dim.wrong{color:var(--bad)}
.needed{color:var(--soft);font-weight:400}
.field .problem,.group>.problem{display:block;color:var(--bad);margin-top:3px}
[aria-invalid=true]{border-color:var(--bad)!important}
.data-foot{position:sticky;bottom:-16px;padding:4px 0;background:var(--paper);grid-column:1/-1;margin:0;min-height:1.4em}
.page-links{display:flex;gap:16px;align-self:center}
a{color:var(--leaf)}
.overlay{position:fixed;inset:0;z-index:2147483001;padding:5vh 20px;overflow:auto;background:#1f2a26b8;font:14px/1.5 var(--sans);color:var(--ink)}
.overlay-box{max-width:900px;margin:0 auto;padding:22px 26px;border-radius:14px;background:var(--paper);border-top:5px solid var(--bad);box-shadow:0 20px 60px #0006}
.overlay-head{display:flex;justify-content:space-between;align-items:center;gap:16px}
h2{margin:0;font-size:20px;font-weight:600}
.finding{padding:14px 0;border-bottom:1px solid var(--line)}
.finding p{margin:3px 0}
.finding-place{display:flex;gap:10px;align-items:center;flex-wrap:wrap}
.finding-message{font-weight:600;font-size:15px}
.finding pre,.overlay-box>pre{margin:8px 0;padding:10px 12px;border-radius:8px;background:#1f2a26;color:#eef5f1;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
.finding-hint::before{content:"→ ";color:var(--leaf)}
.tag{padding:1px 8px;border-radius:99px;background:#f9e5e2;color:var(--bad);font-size:12px;font-weight:600}
.is-warning .tag{background:#f8efdb;color:#7a5410}
@media (max-width:620px){.pill{width:15px;font-size:10px;line-height:13px}.pill i{width:7px;height:7px}.row:not(.is-single){grid-template-columns:minmax(0,1fr)}.row:not(.is-single)>button{justify-self:end}.row .is-boolean{padding-top:0}.sheet{height:60vh}.status{display:none}.tabs button{padding:0 8px}
.events thead{display:none}.events tr{display:flex;flex-wrap:wrap;padding:5px 0;border-bottom:1px solid #edf0ee}.events td{border:0;padding:0 10px 0 0}.events .detail{width:100%;padding:0}.events td:empty{display:none}
.events td:nth-child(5)::before{content:"place "}}
`;
