import assert from "node:assert/strict";
import { test } from "node:test";
import { xmlElement } from "../../../lib/report/xml.ts";

test("elements are nested and indented, texts and attributes escaped", () => {
  const inner = xmlElement("b", { c: 1 }, 'x < y\n  <z> & "q" ]]>');
  assert.equal(
    xmlElement("a", { t: `<"&'>` }, [inner, xmlElement("d", {})]),
    `<a t="&lt;&quot;&amp;&apos;&gt;">
  <b c="1">x &lt; y
  &lt;z&gt; &amp; &quot;q&quot; ]]&gt;</b>
  <d/>
</a>
`,
  );
});

test("what XML cannot hold, or a terminal would obey, is made visible", () => {
  const text = xmlElement("a", { b: "\u0000\u001b[2J\u202e\ud800\ufffe\n" });
  assert.equal(text, '<a b="\\u{0}\\u{1b}[2J\\u{202e}\\u{d800}\ufffd\\u{a}"/>\n');
});
