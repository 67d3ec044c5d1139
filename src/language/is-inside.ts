/** Whether `path` is one of `paths` or below one of them. */
export function isInsideAny(paths: ReadonlySet<string>, path: string): boolean {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (paths.has(at)) return true;
  return false;
}
