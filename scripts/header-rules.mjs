/**
 * Returns a function that gives the headers for a path, in whichever folder the app is. Those of a rule for fewer files
 * override the others.
 */
export function headersBy(rules) {
  const folders = Object.keys(rules).filter((rule) => /^\/.+\/\*$/.test(rule));
  return (path) => {
    const [file] = path.split('?');
    return { ...rules['/*'], ...rules[ruleFor(file, folders)] };
  };
}

function ruleFor(file, folders) {
  const folder = folders.find((rule) => file.includes(rule.slice(0, -1)));
  if (folder) return folder;
  if (file.endsWith('/')) return '/';
  return file.slice(file.lastIndexOf('/'));
}
