/** How often a test has asked for a name, which a second transcript needs too. */
const counts = new WeakMap<object, number>();

/** The name of a snapshot file for a transcript of a test: the titles of the test, and a number from the second one on. */
export function transcriptName(test: { readonly titlePath: readonly string[] }): string {
  const count = (counts.get(test) ?? 0) + 1;
  counts.set(test, count);
  // The first title is the file, beside which the snapshots are.
  const titles = test.titlePath.slice(1).join(' ');
  const name = titles.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'transcript';
  return `${name.slice(0, 80)}${count > 1 ? `-${count}` : ''}.md`;
}
