/** What a Markdown file has between two lines of `---` at its start, and the text after it; or why that is unreadable. */
export type FrontMatter =
  | { readonly ok: true; readonly values: unknown; readonly body: string }
  | { readonly ok: false; readonly why: string };

/** More than any head needs: what is longer is no head. */
const HEAD_CHARACTERS = 16_000;

/** Read by a YAML parser that is loaded when there is a head to read; `null` where the file does not begin with one. */
export async function readFrontMatter(text: string): Promise<FrontMatter | null> {
  const found = /^\uFEFF?---[ \t]*\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return null;
  const [whole, head = ''] = found;
  if (head.length > HEAD_CHARACTERS) return { ok: false, why: 'its head is too long' };
  const { parse } = await import('yaml');
  try {
    const values: unknown = parse(head, { maxAliasCount: 0, logLevel: 'error' });
    return { ok: true, values, body: text.slice(whole.length).trim() };
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, why: `its head is not YAML: ${line}` };
  }
}
