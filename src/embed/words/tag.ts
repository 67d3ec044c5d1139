/** The first of these language tags for which there are texts. The document gets it, with its direction. */
export function useTag(wanted: readonly string[], texts: Readonly<Record<string, object>>): string {
  const tags = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  const tag = tags.find((each) => Object.hasOwn(texts, each)) ?? 'en';
  document.documentElement.lang = tag;
  document.documentElement.dir = tag === 'ar' ? 'rtl' : 'ltr';
  return tag;
}
