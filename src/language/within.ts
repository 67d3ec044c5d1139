/** Whether `path` is one of these, or below one. */
export function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (paths.has(at)) return true;
  return false;
}
