import { messageOf } from './message-of.ts';
/**
 * The YAML between two lines of `---` at the start of a Markdown file and the text after it, or why the YAML cannot
 * be read.
 */
export type FrontMatter =
  | {
      readonly ok: true;
      readonly values: unknown;
      readonly body: string;
      /**
       * The keys of the mapping at a path, in the order they are written. An object in `values` would put numeric
       * keys first.
       */
      keys(path: readonly string[]): readonly string[];
    }
  | { readonly ok: false; readonly why: string };

/** More than any front matter needs: anything longer is treated as an error. */
const HEAD_CHARACTERS = 16_000;

/**
 * Loads the YAML parser only when there is front matter to read. Returns `null` if the file does not begin with any.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter | null> {
  const found = /^\uFEFF?---[ \t]*\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return null;
  const [whole, head = ''] = found;
  if (head.length > HEAD_CHARACTERS) return { ok: false, why: 'its front matter is too long' };
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
    const [line = ''] = messageOf(error).split('\n');
    return { ok: false, why: `its front matter is not YAML: ${line}` };
  }
}
