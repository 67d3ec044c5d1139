/** What a Markdown file has between two lines of `---` at its start, and the text after it; or why that is unreadable. */
export type FrontMatter =
  | {
      readonly ok: true;
      readonly values: unknown;
      readonly body: string;
      /** The keys of what is at a path, in the order they are written; an object of `values` has keys like numbers first. */
      keys(path: readonly string[]): readonly string[];
    }
  | { readonly ok: false; readonly why: string };

/** More than any head needs: what is longer is no head. */
const HEAD_CHARACTERS = 16_000;

/** Read by a YAML parser that is loaded when there is a head to read; `null` where the file does not begin with one. */
export async function readFrontMatter(text: string): Promise<FrontMatter | null> {
  const found = /^\uFEFF?---[ \t]*\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return null;
  const [whole, head = ''] = found;
  if (head.length > HEAD_CHARACTERS) return { ok: false, why: 'its head is too long' };
  const { isMap, isScalar, parseDocument } = await import('yaml');
  try {
    const document = parseDocument(head, { logLevel: 'error' });
    const [problem] = document.errors;
    if (problem) throw problem;
    const values: unknown = document.toJS({ maxAliasCount: 0 });
    const keys = (path: readonly string[]) => {
      const node = path.length === 0 ? document.contents : document.getIn(path, true);
      return isMap(node) ? node.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : [];
    };
    return { ok: true, values, body: text.slice(whole.length).trim(), keys };
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, why: `its head is not YAML: ${line}` };
  }
}
