import { readFrontMatter } from '../../base/front-matter.ts';

/** The front matter and the text of a SKILL.md, or why it cannot be used. */
export type Parsed =
  | { readonly ok: true; readonly name?: string; readonly description: string; readonly body: string }
  | { readonly ok: false; readonly why: string };

export async function parseSkill(text: string): Promise<Parsed> {
  const head = await readFrontMatter(text);
  if (!head) return { ok: false, why: 'it does not begin with front matter between two lines of ---' };
  if (!head.ok) return head;
  const { values, body } = head;
  if (typeof values !== 'object' || values === null)
    return { ok: false, why: 'its front matter has no fields' };
  const name = 'name' in values ? values.name : undefined;
  const description = 'description' in values ? values.description : undefined;
  if (typeof description !== 'string' || description.trim() === '')
    return { ok: false, why: 'its front matter has no description' };
  if (name === undefined || name === null)
    return { ok: true, description: description.trim().replace(/\s+/g, ' '), body };
  if (typeof name !== 'string' || !NAME.test(name))
    return { ok: false, why: 'its name is not made of letters, digits, "-", "_" and "."' };
  return { ok: true, name, description: description.trim().replace(/\s+/g, ' '), body };
}

export const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
