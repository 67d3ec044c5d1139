/**
 * Checks the size budget: the gzipped size of what the page loads before any action, from Vite's manifest.
 * `npm test` uses it after a build. Throws if the budget is exceeded.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

export const INITIAL_JS_LIMIT = 130_000;

const dist = new URL('../dist/', import.meta.url);

/** Returns the gzipped bytes of the entry and everything it imports statically. */
export function initialJavaScript() {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
  const files = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);
  const sizes = [...files].map((file) => ({
    file,
    bytes: gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length,
  }));
  return { bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0), sizes };
}

export function checkSize() {
  const { bytes, sizes } = initialJavaScript();
  for (const { file, bytes: size } of sizes) console.log(`  ${String(size).padStart(8)}  ${file}`);
  console.log(
    `  ${String(bytes).padStart(8)}  initial JavaScript, gzipped; the limit is ${INITIAL_JS_LIMIT}`,
  );
  if (bytes > INITIAL_JS_LIMIT)
    throw new Error(`Initial JavaScript is ${bytes} bytes gzipped, over ${INITIAL_JS_LIMIT}.`);
}
