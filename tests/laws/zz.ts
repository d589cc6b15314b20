// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { parsePathPattern, printPathPattern } from "../../lib/pattern/path_pattern.ts";
import { strictPathMatcher } from "../../lib/pattern/match_path.ts";
import { randomFrom } from "../support/random.ts";
const random = randomFrom(Number(Deno.args[0] ?? 1));
const mode = Deno.args[1] ?? "plain";
const base = ["a","b","c","a","b","/","/","*","**","?",".","a/","/**/","**/","/*"];
const G = mode==="plain"? base : mode==="set" ? [...base,"[ab]","[a-c]","[!a]","[^b]","[","]","[.]"] : [...base,"{a,b}","{a,b/c}","{","}",",","{*,b}","{a,**}"];
const T = ["a","b","c","a","b","/","/","."];
let n=0, fit=0; const diffs=new Map<string,string[]>();
for (let i=0;i<1000000;i++){
  const p = random.text(G, 6), t = random.text(T, 6);
  if (t===""||t.split("/").some(s=>s===""||s==="."||s==="..")) continue;
  const pp = parsePathPattern(p); if(!pp.ok||p==="") continue;
  if (pp.value.base!=="plain") continue;
  n++;
  const ours = strictPathMatcher({base:"workspace", glob: pp.value.glob})({ok:true,raw:t,folded:[],forms:[{root:t,workspace:t}]})==="yes";
  const pm=(q:string)=>picomatch(q,{dot:true,noextglob:true,nonegate:true,fastpaths:false})(t);
  const q=p.replaceAll("[!","[^").replace(/\*{3,}/g,"*").replace(/(?<=[^\/])\*\*|\*\*(?=[^\/])/g,"*").replace(/\*{3,}/g,"*").replace(/(?<=[^\/])\*\*|\*\*(?=[^\/])/g,"*");
  let q2=q; while(/(^|\/)\*\*\/\*\*(?=\/|$)/.test(q2)) q2=q2.replace(/(^|\/)\*\*\/\*\*(?=\/|$)/g,"$1**");
  const theirs = pm(q2) || /[*]\/\*\*$/.test(q2) && pm(q2.slice(0,-3));
  if (ours) fit++;
  if (ours!==theirs){ const k=p; if(!diffs.has(k))diffs.set(k,[]); diffs.get(k)!.push(`${t} ours=${ours}`);}
}
console.log(n,fit,diffs.size);
for (const [k,v] of [...diffs].sort((a,b)=>a[0].length-b[0].length).slice(0,Number(Deno.args[2]??60))) console.log(JSON.stringify(k), v.slice(0,4).join(" | "));
