/** What a SKILL.md says of itself, and its text; or why it says nothing that can be used. */
export type Parsed =
  | { readonly ok: true; readonly name?: string; readonly description: string; readonly body: string }
  | { readonly ok: false; readonly why: string };

/** More than any head needs: what is longer is no head. */
const HEAD_CHARACTERS = 16_000;

/** The YAML head between `---` lines, read by a YAML parser that is loaded when there is a head to read. */
export async function parseSkill(text: string): Promise<Parsed> {
  const found = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return { ok: false, why: 'it does not begin with a head between two lines of ---' };
  const [whole, head = ''] = found;
  if (head.length > HEAD_CHARACTERS) return { ok: false, why: 'its head is too long' };
  const { parse } = await import('yaml');
  let values: unknown;
  try {
    values = parse(head, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, why: `its head is not YAML: ${line}` };
  }
  if (typeof values !== 'object' || values === null) return { ok: false, why: 'its head holds no fields' };
  const name = 'name' in values ? values.name : undefined;
  const description = 'description' in values ? values.description : undefined;
  if (typeof description !== 'string' || description.trim() === '')
    return { ok: false, why: 'its head has no description' };
  const body = text.slice(whole.length).trim();
  if (name === undefined || name === null)
    return { ok: true, description: description.trim().replace(/\s+/g, ' '), body };
  if (typeof name !== 'string' || !NAME.test(name))
    return { ok: false, why: 'its name is not made of letters, digits, "-", "_" and "."' };
  return { ok: true, name, description: description.trim().replace(/\s+/g, ' '), body };
}

export const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
