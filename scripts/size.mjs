/**
 * Checks the size budget: the gzipped size of the scripts that the built page loads before any action.
 * `npm test` uses it after a build. Throws if the budget is exceeded, or if no script is found.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { initSync, parse } from 'es-module-lexer';

export const INITIAL_JS_LIMIT = 130_000;

initSync();
const dist = new URL('../dist/', import.meta.url);
/** The modules that the page names. A script that is not one of the build's, such as `look.js`, is a few lines. */
const IN_PAGE = /<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+\.js)"/g;

/** Returns the gzipped bytes of the modules of the page and of everything that they import statically. */
export function initialJavaScript() {
  const files = new Set();
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const { n: name, d: dynamic } of parse(read(file))[0])
      if (dynamic === -1) visit(posix.join('assets', name));
  };
  for (const [, file] of read('index.html').matchAll(IN_PAGE)) visit(file);
  if (files.size === 0) throw new Error('No script was found in dist/index.html.');
  const sizes = [...files].map((file) => ({ file, bytes: gzipSync(read(file), { level: 9 }).length }));
  return { bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0), sizes };
}

const read = (file) => readFileSync(new URL(file, dist), 'utf8');

export function checkSize() {
  const { bytes, sizes } = initialJavaScript();
  for (const { file, bytes: size } of sizes) console.log(`  ${String(size).padStart(8)}  ${file}`);
  console.log(
    `  ${String(bytes).padStart(8)}  initial JavaScript, gzipped; the limit is ${INITIAL_JS_LIMIT}`,
  );
  if (bytes > INITIAL_JS_LIMIT)
    throw new Error(`Initial JavaScript is ${bytes} bytes gzipped, over ${INITIAL_JS_LIMIT}.`);
}
