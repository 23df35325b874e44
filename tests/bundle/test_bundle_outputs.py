"""The outputs of bundle(): aliases, defines, source maps; the same bytes every time and everywhere."""

import base64
import json
import os
import shutil
import subprocess
from dataclasses import replace

import pytest

from awning.bundle.request import BundleRequest, EntryPoint, flags
from awning.bundle.run import bundle

WIDGET = {
    "w/widget.ts": """
        import { slot } from "awning";
        import view from "./view.html.j2";
        export default slot(() => view({ name: "ā" }));
    """,
    "w/view.html.j2": """
        import { escape } from "awning/template";
        export default (c) => escape(c.name);
    """,
    "entry.ts": """
        import { run } from "awning/run";
        import type { Item } from "awning/types";
        import w from "./w/widget";
        run([w as unknown as Item]);
    """,
    "style.css": ".aw { color: red; p { margin: 0 } }",
}


def test_a_script_is_one_self_contained_function(bundled):
    code = bundled(WIDGET, "entry.ts").outputs["entry"].code.decode()
    assert code.startswith("(()=>{")
    assert "import" not in code
    assert "never shipped" not in code, "what nobody imports is shaken off"
    assert "ā" in code, "texts are UTF-8, not escapes three times as long"


def test_module_format_keeps_exports(bundled):
    files = {"m.ts": "export default 1;\n"}
    assert b"export{" in bundled(files, "m.ts", format="esm").outputs["m"].code


def test_names_of_the_service_are_defined_and_can_be_overridden(bundled):
    assert b'svcPlugins,"svc-"' in bundled(WIDGET, "entry.ts").outputs["entry"].code
    defines = {"AWNING_GLOBAL": "shopPlugins", "AWNING_EVENT_PREFIX": '"shop-"'}
    assert b'shopPlugins,"shop-"' in bundled(WIDGET, "entry.ts", defines=defines).outputs["entry"].code


def test_styles_are_lowered_for_older_browsers(bundled):
    assert bundled(WIDGET, "style.css").outputs["style"].code == b".aw{color:red}.aw p{margin:0}\n"


def test_outputs_of_one_call_keep_the_order_of_the_entry_points(bundled):
    files = {f"e{i}.ts": f"console.log({i});\n" for i in range(1500)}
    names = sorted(files, reverse=True)
    outputs = bundled(files, *names, source_maps=False).outputs
    assert list(outputs) == [name[:-3] for name in names]
    assert outputs["e1499"].code == b"(()=>{console.log(1499);})();\n"


def test_bundling_writes_no_files(bundled, tmp_path):
    before = bundled(WIDGET, "entry.ts", "style.css") and sorted(tmp_path.rglob("*"))
    bundled(WIDGET, "entry.ts", "style.css")
    assert sorted(tmp_path.rglob("*")) == before


def test_bundling_without_entry_points_has_no_outputs(bundled):
    assert bundled({}).outputs == {}


@pytest.mark.parametrize("name", ["../up", "/root", "a//b", "a/../b"])
def test_entry_name_with_special_characters_is_refused(esbuild, tree, name):
    request = tree(WIDGET, "entry.ts")
    with pytest.raises(ValueError, match="relative, plain and unique"):
        bundle(esbuild, replace(request, entry_points=(EntryPoint(name, request.entry_points[0].path),)))


def test_source_map_names_the_authors_files(bundled):
    output = bundled(WIDGET, "entry.ts", to_source=lambda path: f"mine/{path}").outputs["entry"]
    sources = json.loads(output.source_map)["sources"]
    assert {"mine/entry.ts", "mine/w/widget.ts", "mine/w/view.html.j2", "jsrc/runtime/run.ts"} <= set(sources)
    assert b"sourceMappingURL" not in output.code


def test_a_compiled_template_maps_back_to_the_template(bundled):
    inner = {
        "version": 3,
        "sources": ["view.html.j2"],
        "sourcesContent": ["<p>{{ x }}</p>"],
        "names": [],
        "mappings": "AAAA",
    }
    encoded = base64.b64encode(json.dumps(inner).encode()).decode()
    view = f"export default () => 1;\n//# sourceMappingURL=data:application/json;base64,{encoded}\n"
    files = {"w/view.html.j2": view, "e.ts": 'import v from "./w/view.html.j2"; console.log(v());\n'}
    map_ = json.loads(bundled(files, "e.ts", to_source=lambda path: path).outputs["e"].source_map)
    at = map_["sources"].index("w/view.html.j2")
    assert map_["sourcesContent"][at] == "<p>{{ x }}</p>"


def test_output_is_the_same_when_repeated_and_in_another_folder(esbuild, tree, tmp_path):
    request = tree(WIDGET, "entry.ts", "style.css")
    first = bundle(esbuild, request)
    elsewhere = tmp_path / "a longer name" / "šeit"
    shutil.copytree(tmp_path / "ws", elsewhere / "ws")
    shutil.copytree(tmp_path / "jsrc", elsewhere / "other" / "jsrc")
    entries = tuple(EntryPoint(e.name, elsewhere / "ws" / e.path.name) for e in request.entry_points)
    moved = BundleRequest(entry_points=entries, root=elsewhere / "ws", jsrc=elsewhere / "other" / "jsrc")
    assert bundle(esbuild, request) == first == bundle(esbuild, moved)


def test_tsconfig_and_environment_do_not_change_the_output(esbuild, tree, tmp_path, monkeypatch):
    request = tree(WIDGET, "entry.ts")
    first = bundle(esbuild, request)
    monkeypatch.setenv("NODE_PATH", str(tmp_path))
    monkeypatch.setenv("NODE_ENV", "development")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ws/tsconfig.json").write_text('{"compilerOptions":{"target":"es5","jsx":"react"}}')
    assert bundle(esbuild, request) == first


def test_the_nearest_package_json_decides_the_scope(esbuild, tree, tmp_path):
    """A package.json with `commonjs` makes the output a fifth larger, so the stage has a package.json of its own."""
    request = tree(WIDGET, "entry.ts")
    first = bundle(esbuild, request).outputs["entry"].code
    (tmp_path / "package.json").write_text('{"type":"commonjs"}')
    assert len(bundle(esbuild, request).outputs["entry"].code) > len(first)
    for folder in ("ws", "jsrc"):
        (tmp_path / folder / "package.json").write_text('{"type":"module"}')
    assert bundle(esbuild, request).outputs["entry"].code == first


@pytest.mark.usefixtures("processes")
def test_esbuilds_command_line_bundles_the_same_bytes(esbuild, tree, tmp_path):
    """The oracle: the public interface of the same binary, with the same options."""
    request = tree(WIDGET, "entry.ts")
    options = [f for f in flags(request) if not f.startswith("--outdir")]
    command = [esbuild.path, *options, f"--outdir={tmp_path / 'out'}", str(request.entry_points[0].path)]
    subprocess.run(command, cwd=request.root, check=True, env=dict(os.environ))
    assert (tmp_path / "out/entry.js").read_bytes() == bundle(esbuild, request).outputs["entry"].code
