/**
 * Returns a function that gives the headers for a path, in whichever folder the app is. Those of a rule for fewer files
 * override the others.
 */
export function headersBy(rules) {
  return (path) => {
    const [file] = path.split('?');
    return { ...rules['/*'], ...rules[ruleFor(file)] };
  };
}

function ruleFor(file) {
  if (file.includes('/assets/')) return '/assets/*';
  if (file.endsWith('/')) return '/';
  return file.slice(file.lastIndexOf('/'));
}
