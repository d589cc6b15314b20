import assert from "node:assert/strict";
import { test } from "node:test";
import { type Range, withWarmFunctions } from "../../../scripts/warm_functions.ts";

/** A module without the marks «» round its functions, and where those stand. */
function marked(source: string): { readonly text: string; readonly ranges: readonly Range[] } {
  const open: number[] = [];
  const ranges: Range[] = [];
  let text = "";
  for (const char of source) {
    if (char === "«") open.push(text.length);
    else if (char === "»") ranges.push({ start: open.pop()!, end: text.length });
    else text += char;
  }
  return { text, ranges };
}

function warmed(source: string): string {
  const { text, ranges } = marked(source);
  return withWarmFunctions(text, { ran: ranges, all: ranges });
}

const METHOD = "m(){}static{this.prototype.m=(function";
const METHOD_END = ")}";

const CASES: readonly (readonly [why: string, source: string, expected: string])[] = [
  ["an arrow", "var a=«(x)=>x»;", "var a=((x)=>x);"],
  ["an arrow whose parameter has a default", "var a=«(x=f(1))=>x»;", "var a=((x=f(1))=>x);"],
  ["arrows in an arrow", "var a=«(x)=>«(y)=>y»»;", "var a=((x)=>((y)=>y));"],
  ["arrows side by side", "f(«(x)=>x»,«y=>y»);", "f(((x)=>x),(y=>y));"],
  ["a function that is a value", "var a=«function(){}»;", "var a=(function(){});"],
  [
    "a function that a call returns",
    "a(«()=>{return «function(){}»}»);",
    "a((()=>{return (function(){})}));",
  ],
  [
    "a declaration, behind a statement",
    "a();«function b(){}»c();",
    "var b=(function b(){});\na();c();",
  ],
  [
    "two declarations",
    "«function a(){}»«async function b(){}»",
    "var a=(function a(){}),b=(async function b(){});\n",
  ],
  [
    "a declaration behind a shebang",
    "#!/x y\n«function a(){}»",
    "#!/x y\nvar a=(function a(){});\n",
  ],
  ["a value in a declaration", "«function a(){f(«()=>1»)}»", "var a=(function a(){f((()=>1))});\n"],
  [
    "a declaration in a function: as it was",
    "«function a(){«function b(){}»}»",
    "var a=(function a(){function b(){}});\n",
  ],
  ["a declaration in a block: as it was", "if(x){«function a(){}»}", "if(x){function a(){}}"],
  ["a method", "class A{«m(x){}»}", `class A{${METHOD}(x){}${METHOD_END}}`],
  [
    "a method of a class that extends",
    "x=class extends B.C{«m(){}»}",
    `x=class extends B.C{${METHOD}(){}${METHOD_END}}`,
  ],
  ["a method behind a field", "class A{a=1;«m(){}»}", `class A{a=1;${METHOD}(){}${METHOD_END}}`],
  [
    "a method with an arrow",
    "class A{«m(){f(«()=>1»)}»}",
    `class A{${METHOD}(){f((()=>1))}${METHOD_END}}`,
  ],
  [
    "a method that calls super: as it was",
    "class A extends B{«m(){super.m()}»}",
    "class A extends B{m(){super.m()}}",
  ],
  ["a constructor: as it was", "class A{«constructor(){}»}", "class A{constructor(){}}"],
  ["a private method: as it was", "class A{«#m(){}»}", "class A{#m(){}}"],
  ["a static method: as it was", "class A{static «m(){}»}", "class A{static m(){}}"],
  [
    "a getter beside a setter",
    "class A{«get m(){}»set m(x){}}",
    'class A{static{Object.defineProperty(this.prototype,"m",{get:(function(){}),configurable:!0})}' +
    "set m(x){}}",
  ],
  ["a setter: as it was", "class A{«set m(x){}»}", "class A{set m(x){}}"],
  ["a getter of an object: as it was", "a={«get m(){}»}", "a={get m(){}}"],
  ["methods of an object", "a={«m(){}»,«n(){}»}", "a={m:(function(){}),n:(function(){})}"],
  ["an asynchronous method of an object", "a={«async m(){}»}", "a={m:(async function(){})}"],
  [
    "an asynchronous method of a class",
    "class A{«async m(){}»}",
    `class A{${METHOD.replace("function", "async function")}(){}${METHOD_END}}`,
  ],
  [
    "a method that is a generator: as it was",
    "a={«async*m(){}»,«*n(){}»}",
    "a={async*m(){},*n(){}}",
  ],
  ["methods with odd names", "a={«get(){}»,«async(){}»}", "a={get:(function(){}),async(){}}"],
  ["an asynchronous arrow: as it was", "a=«async()=>1»", "a=async()=>1"],
];

for (const [why, source, expected] of CASES) {
  test(`warm functions: ${why}`, () => assert.equal(warmed(source), expected));
}

test("warm functions: what did not run stays as it was", () => {
  const { text, ranges } = marked("«function a(){}»var b=«()=>1»;");
  assert.equal(withWarmFunctions(text, { ran: [], all: ranges }), text);
});

test("warm functions: a warm method is the property that it was", () => {
  const source = "class A{#x=2;«m(y){return this.#x*y}»}return A";
  const { text, ranges } = marked(source);
  const shapeOf = (body: string) => {
    const made = new Function(body)();
    const { value, ...flags } = Object.getOwnPropertyDescriptor(made.prototype, "m")!;
    return { flags, length: value.length, product: new made().m(21) };
  };
  const warm = withWarmFunctions(text, { ran: ranges, all: ranges });
  assert.notEqual(warm, text);
  assert.deepEqual(shapeOf(warm), shapeOf(text));
});
