import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

/** just-bash's browser bundle, which is what `just-bash/browser` names; spelled as Vite spells it. */
export const justBashBundle = normalizePath(
  realpathSync(fileURLToPath(new URL('../node_modules/just-bash/dist/bundle/browser.js', import.meta.url))),
);

interface Patch {
  /** What goes wrong without it. */
  readonly defect: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Defects of its commands that its public API cannot mend, for just-bash 3.4.2 (Apache-2.0). The bundle is minified, so
 * the names below hold for exactly that version: an upgrade fails the build until every patch is looked at again.
 */
export const patches: readonly Patch[] = [
  {
    defect: 'its commands can be had only with its interpreter',
    find: 'export{Hp as Bash,',
    replace: 'export{m6 as bundledCommands,Hp as Bash,',
  },
  {
    defect: "sed: a range's end is looked for on its first line",
    find: 's.set(d,p),ci(a,t,n,r,i)&&(',
    replace: 's.set(d,p),!c&&(typeof a=="number"?t>=a:ci(a,t,n,r,i))&&(',
  },
  {
    defect: 'awk: length without parentheses is a variable',
    find: 'key:r}}return{type:"variable",name:t}}',
    replace: 'key:r}}return t==="length"?{type:"call",name:t,args:[]}:{type:"variable",name:t}}',
  },
  {
    defect: 'uniq -c: counts are four characters wide instead of seven',
    find: 'String(w).padStart(4)',
    replace: 'String(w).padStart(7)',
  },
  {
    defect: 'rg -z and gzip need node:zlib, which no browser has; both commands are replaced here',
    find: 'import{gunzipSync as bx}from"node:zlib";',
    replace: 'let bx=vitrine.noZlib;',
  },
  {
    defect: 'gzip needs node:zlib, which no browser has; the command is replaced here',
    find: 'import{constants as Cf,gunzipSync as pv,gzipSync as hv}from"node:zlib";',
    replace: 'let Cf={},pv=vitrine.noZlib,hv=vitrine.noZlib;',
  },
  {
    defect: 'its diff, which is replaced here, brings its own version of the library',
    find: 'import*as i2 from"diff";',
    replace: 'let i2={};',
  },
  {
    defect: 'html-to-markdown needs a document, which no worker has; it is not registered here',
    find: 'import jC from"turndown";',
    replace: 'let jC=class{};',
  },
];

const HEADER = `let vitrine={noZlib(){throw new Error("this needs node:zlib")}};`;

/**
 * Applies {@link patches} to just-bash's bundle. The build fails where a pattern does not match exactly once, and
 * where another copy of the bundle would come in unpatched.
 */
export function justBashPatches(): Plugin {
  return {
    name: 'vitrine:just-bash-patches',
    enforce: 'pre',
    transform(code, id) {
      const [file = ''] = id.split('?');
      // By its name, wherever it lies; what it has for Node, which tests compare with, needs no patches.
      if (!file.endsWith('/just-bash/dist/bundle/browser.js')) return null;
      if (file !== justBashBundle)
        throw new Error(`just-bash is patched in ${justBashBundle}, not in ${file}.`);
      return { code: applyPatches(code, patches), map: null };
    },
  };
}

export function applyPatches(bundle: string, list: readonly Patch[]): string {
  let patched = bundle;
  for (const { defect, find, replace } of list) {
    const count = patched.split(find).length - 1;
    if (count !== 1) {
      throw new Error(
        `just-bash has changed: the patch for "${defect}" matches ${count} times instead of once.`,
      );
    }
    patched = patched.replace(find, () => replace);
  }
  return HEADER + patched;
}
