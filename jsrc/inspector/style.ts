/** The inspector's style, for its shadow root. */
export const STYLE = `
:host{all:initial;direction:ltr;--ink:#1f2a26;--soft:#5d6963;--line:#dfe4e0;--paper:#fcfdfc;--wash:#f1f5f2;--leaf:#22644a;--bad:#a5312a;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
*{box-sizing:border-box}
[hidden]{display:none!important}
.panel{position:fixed;inset:auto 0 0 0;z-index:2147483000;display:flex;flex-direction:column;max-height:75vh;font:13px/1.45 var(--sans);color:var(--ink);pointer-events:none}
.panel>*{pointer-events:auto}
button,input,select,textarea{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--leaf);outline-offset:2px}
.pill{position:absolute;right:0;bottom:14px;display:flex;align-items:center;gap:7px;width:19px;padding:11px 0;writing-mode:vertical-rl;white-space:nowrap;border:1px solid #0002;border-right:0;border-radius:7px 0 0 7px;background:var(--ink);color:#fff;font-size:11px;line-height:17px;font-weight:600;box-shadow:0 2px 10px #0003}
.pill i{flex:none;width:8px;height:8px;border-radius:50%;background:#6fd3a3}
.has-violations .pill i{background:#f0b24a}
.is-bad .pill i{background:#ff7d72}
.summary{font-weight:400;color:#cdd8d2}
.sheet{flex:none;height:min(340px,50vh);display:flex;flex-direction:column;background:var(--paper);border-top:1px solid var(--line);box-shadow:0 -6px 24px #0002}
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
.body.is-whole{padding:0;overflow:hidden}
table{border-collapse:collapse;width:100%}
thead th{position:sticky;top:0;background:var(--paper);text-align:left;font-weight:600;color:var(--soft);font-size:12px;padding:4px 10px 6px 0;border-bottom:1px solid var(--line)}
td{padding:4px 10px 4px 0;vertical-align:top;border-bottom:1px solid #edf0ee;white-space:nowrap}
.number{font-variant-numeric:tabular-nums;color:var(--soft)}
code,pre{font-family:var(--mono);font-size:12px}
.events{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);height:100%}
.timeline{display:flex;flex-direction:column;min-height:0}
.bar{display:flex;flex-wrap:wrap;gap:6px;align-items:center;padding:7px 10px 7px 14px;border-bottom:1px solid var(--line)}
.bar select{height:27px;max-width:124px;padding:0 4px;text-overflow:ellipsis;border:1px solid #9aa79f;border-radius:6px;background:#fff}
.bar .quiet{padding:2px 9px}
.bar-buttons{display:flex;gap:6px;white-space:nowrap}
.count{margin:0 auto 0 4px;white-space:nowrap}
.list{flex:1;overflow:auto;min-height:0}
.list td:first-child,.list th:first-child,.list>.dim{padding-left:14px}
.list tr{cursor:pointer}
.list tbody tr:hover{background:var(--wash)}
.list tbody tr.is-chosen{background:#e3eee8}
.list .from{white-space:normal;width:28%}
.list .outcome{white-space:normal;width:38%}
.outcome small{display:block;font-weight:400;overflow-wrap:anywhere}
.link{border:0;background:none;padding:0;text-align:left;color:inherit;text-decoration:underline;text-decoration-color:#b9c4bd;text-underline-offset:3px}
.is-subscribed td,.is-fired .outcome,.from{color:var(--soft)}
.from.is-own{color:var(--ink);font-weight:600}
.is-event td{border-top:1px solid #cfd8d2}
.is-drawn .outcome{color:var(--leaf);font-weight:600}
.list tbody .is-broke,.list tbody .is-threw{background:#fdf0ee}
.list tbody .is-chosen:is(.is-broke,.is-threw){background:#f8dcd8}
.is-broke .outcome,.is-threw .outcome{color:var(--bad);font-weight:600}
.place{margin-inline-start:10px;font-family:var(--mono);font-size:12px;font-weight:600;overflow-wrap:anywhere}
.detail{overflow:auto;min-height:0;padding:10px 14px 16px;border-inline-start:1px solid var(--line)}
.detail:has(.editor){padding-bottom:8px}
.detail h2{margin:0;font-size:14px}
.detail>.dim{margin:2px 0 6px}
.detail pre{margin:4px 0 8px;padding:8px 10px;border-radius:7px;background:var(--wash);white-space:pre-wrap;overflow-wrap:anywhere}
.detail>details>summary{font-weight:600;padding:3px 0}
summary{cursor:pointer}
.buttons{display:flex;flex-wrap:wrap;gap:6px;margin:8px 0}
.back{display:none}
.main{border:1px solid var(--leaf);border-radius:7px;padding:4px 14px;background:var(--leaf);color:#fff;font-weight:600}
.tree{list-style:none;margin:0;padding-inline-start:15px}
.tree .leaf,.tree summary{padding:1px 0}
.tree .leaf{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline}
.tree summary>span{margin-inline-end:8px}
.name{font-family:var(--mono);font-size:12px}
.value{overflow-wrap:anywhere;color:#7a3d12}
.value.is-string{color:#1d5c45}
.value.is-null{color:var(--soft)}
.mark{padding:0 6px;border-radius:99px;font-size:11px;line-height:16px;white-space:nowrap}
.mark.is-documented{background:#dcece4;color:#17513a}
.mark.is-observed{background:#e2e9f6;color:#2b4578}
.mark.is-assumed{background:#f8efdb;color:#6d4a0c}
.mark.is-unknown{background:#f9e5e2;color:var(--bad)}
.editor{display:flex;flex-direction:column;min-height:100%}
.editor label{display:flex;flex-direction:column;flex:1}
.editor textarea{flex:1;width:100%;min-height:90px;padding:8px 10px;border:1px solid #9aa79f;border-radius:7px;background:#fff;font:12px/18px var(--mono);white-space:pre;resize:vertical}
.fault{margin:6px 0 0;color:var(--bad);font-weight:600}
.fault:empty,.notes:empty{display:none}
.fault code{display:block;margin-top:3px;font-weight:400;white-space:pre;overflow:auto}
.notes{margin:6px 0 0;padding:0;list-style:none;color:#6d4a0c}
.figures .number{text-align:right}
.figures th[scope=row]{text-align:left;font-weight:600;padding:4px 10px 4px 0;border-bottom:1px solid #edf0ee}
.figures{max-width:1100px}
.page,.data>fieldset,.group{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr));gap:6px 28px;align-items:start;max-width:1200px}
.data>fieldset{margin-bottom:18px}
.page{grid-template-columns:repeat(auto-fill,minmax(190px,1fr))}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{padding:0;font-weight:600;margin-bottom:6px}
.field{display:block;margin-bottom:9px}
.field-title{display:block;margin-bottom:3px}
.field small{display:block;color:var(--soft);font-size:12px}
.field input:not([type=checkbox]),.field select,.field textarea{width:100%;height:32px;padding:0 9px;text-overflow:ellipsis;border:1px solid #9aa79f;border-radius:7px;background:#fff}
.field textarea{height:auto;padding:6px 9px;resize:vertical}
.field input[type=color]{width:64px;padding:2px}
.is-flag{display:flex;flex-direction:row-reverse;justify-content:flex-end;align-items:flex-start;gap:8px}
.is-flag input{width:16px;height:16px;margin:1px 0 0;accent-color:var(--leaf);flex:none}
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
.row .is-flag{padding-top:24px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.row-actions{display:flex;gap:4px;margin:0 0 2px}
.row-actions button:disabled{opacity:.4}
.with-picture{display:grid;gap:6px}
.picture{max-width:100%;max-height:96px;border:1px solid var(--line);border-radius:6px}
.picture[hidden]{display:none}
.row .field{margin:0}
.dim.wrong{color:var(--bad)}
.needed{color:var(--soft);font-weight:400}
.field .problem,.group>.problem{display:block;color:var(--bad);margin-top:3px}
[aria-invalid=true]{border-color:var(--bad)!important}
.data-foot{position:sticky;bottom:-16px;padding:4px 0;background:var(--paper);grid-column:1/-1;margin:0;min-height:1.4em}
.hosts{grid-column:1/-1;list-style:none;margin:0;padding:0;display:grid;gap:3px;font-size:13px}
.hosts li{display:flex;flex-wrap:wrap;gap:0 10px;align-items:baseline}
.hosts .dim{margin:0}
.hosts code{overflow-wrap:anywhere}
.page-links{display:flex;gap:16px;align-self:center}
a{color:var(--leaf)}
.overlay{position:fixed;inset:0;z-index:2147483001;padding:5vh 20px;overflow:auto;background:#1f2a26b8;font:14px/1.5 var(--sans);color:var(--ink)}
.overlay-box{max-width:900px;margin:0 auto;padding:22px 26px;border-radius:14px;background:var(--paper);border-top:5px solid var(--bad);box-shadow:0 20px 60px #0006}
.overlay-head{display:flex;justify-content:space-between;align-items:center;gap:16px}
h2{margin:0;font-size:20px;font-weight:600}
.cards{display:grid;gap:8px;justify-items:start;padding:0 16px 14px;pointer-events:none}
.panel>.cards{max-height:45vh;overflow-y:auto;pointer-events:none}
.cards:empty{padding:0}
.card{pointer-events:auto;width:min(520px,100%);max-height:40vh;overflow:auto;padding:12px 14px!important;border:1px solid var(--line)!important;border-left:5px solid var(--bad)!important;border-radius:10px;background:var(--paper);box-shadow:0 10px 34px #0004}
.card .finding-place{margin:0}
.card .quiet{margin-left:auto}
.card .finding-message{font-size:14px;overflow-wrap:anywhere}
.state-header{padding:12px max(20px,50% - 608px) 18px;background:#fff;border-bottom:1px solid var(--line);font:15px/1.5 var(--sans);color:var(--ink)}
.state-header nav{display:flex;flex-wrap:wrap;gap:4px 22px;align-items:center;margin-bottom:14px}
.state-header nav a{padding:5px 0;color:var(--soft);text-decoration:none}
.state-header nav a:hover{text-decoration:underline}
.state-header nav .state-brand{display:flex;gap:10px;align-items:center;margin-right:auto;color:var(--ink);font-weight:650}
.state-header h1{margin:0;font-size:22px;line-height:1.25;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
.state-header p{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:baseline;margin:6px 0 0;color:var(--soft)}
.state-header code{overflow-wrap:anywhere;font-size:13px}
.state-errors{font:13px/1.45 var(--sans);color:var(--ink);padding-top:16px}
.state-errors .card{width:min(760px,100%);max-height:none;box-shadow:none}
.state-errors.is-brief{padding:4px 0}
.state-errors.is-brief .cards{padding:0}
.state-errors.is-brief .card{padding:8px 10px!important}
.finding{padding:14px 0;border-bottom:1px solid var(--line)}
.finding p{margin:3px 0}
.finding-place{display:flex;gap:10px;align-items:center;flex-wrap:wrap}
.finding-message{font-weight:600;font-size:15px}
.finding pre,.overlay-box>pre{margin:8px 0;padding:10px 12px;border-radius:8px;background:#1f2a26;color:#eef5f1;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
.finding mark{background:#ffd9d3;color:#7c1d12;border-radius:2px;outline:1px solid #ffd9d3}
.finding-hint::before{content:"→ ";color:var(--leaf)}
.tag{padding:1px 8px;border-radius:99px;background:#f9e5e2;color:var(--bad);font-size:12px;font-weight:600}
.is-warning .tag{background:#f8efdb;color:#7a5410}
.is-note .tag{background:var(--wash);color:var(--soft)}
@media (min-width:1190px){.bar{flex-wrap:nowrap}.bar select{flex:1 1 0;min-width:60px;padding:0}.bar .quiet{padding:2px 7px}}
@media (max-width:900px){.list thead{display:none}.list tr{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr) 46px;gap:0 10px;padding:6px 14px;border-bottom:1px solid #edf0ee}.list td,.list td:first-child{border:0;padding:0;width:auto}.list td:nth-child(2){grid-area:1/1}.list .from{grid-area:1/2/2/4;width:auto;text-align:end;white-space:nowrap}.list .outcome{grid-area:2/1;width:auto}.list td:first-child{grid-area:2/2;text-align:end}.list td:last-child{grid-area:2/3;text-align:end}.list .is-event{border-top:1px solid #cfd8d2}}
@media (max-width:44rem){.state-header{padding-inline:16px}}
@media (max-width:620px){.pill{width:15px;font-size:10px;line-height:13px}.pill i{width:7px;height:7px}.row:not(.is-single){grid-template-columns:minmax(0,1fr)}.row:not(.is-single)>.row-actions{justify-self:end}.row .is-flag{padding-top:0}.sheet{height:60vh}header{gap:6px;padding:0 6px}.tabs{overflow-x:auto}.tabs button{padding:0 8px}.status{display:none}.status.is-brief{display:block;position:absolute;right:12px;bottom:12px;padding:5px 12px;border-radius:99px;background:var(--ink);color:#fff;z-index:1}
.events{grid-template-columns:minmax(0,1fr)}.events .detail{display:none;border:0}.has-chosen .timeline{display:none}.has-chosen .detail{display:block}.back{display:inline-block}
.bar select{flex:1 1 28%;min-width:0;padding:0}.count{margin-left:0}
.figures thead{display:none}.figures tr{display:block;padding:8px 0;border-bottom:1px solid var(--line)}.figures th[scope=row]{display:block;border:0;padding:0 0 3px}.figures td{display:flex;justify-content:space-between;border:0;padding:1px 0}.figures td::before{content:attr(data-label);color:var(--soft)}}
`;
