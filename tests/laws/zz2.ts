// @ts-types="@types/picomatch"
import picomatch from "picomatch";
for (const p of Deno.args) console.log(p, picomatch.makeRe(p,{dot:true,noextglob:true,nonegate:true}));
