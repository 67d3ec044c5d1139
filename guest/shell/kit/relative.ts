/** The relative path from one folder to a path, both absolute. */
export function relative(from: string, to: string): string {
  const [a, b] = [from, to].map((path) => path.split('/').filter(Boolean));
  if (!a || !b) return to;
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  return [...a.slice(common).map(() => '..'), ...b.slice(common)].join('/') || '.';
}
