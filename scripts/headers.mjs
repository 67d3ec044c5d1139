import { readFileSync } from 'node:fs';

const rules = JSON.parse(readFileSync(new URL('../build/headers.json', import.meta.url), 'utf8'));

/** Returns the headers for a path, in whichever folder the app is. Those of a rule for fewer files override the others. */
export function headersFor(path) {
  const [file] = path.split('?');
  return { ...rules['/*'], ...rules[ruleFor(file)] };
}

function ruleFor(file) {
  if (file.includes('/assets/')) return '/assets/*';
  if (file.endsWith('/')) return '/';
  return file.slice(file.lastIndexOf('/'));
}
