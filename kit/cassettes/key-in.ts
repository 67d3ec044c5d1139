import { isObject, type Json } from '../../src/base/json.ts';

/** Shorter keys are placeholders such as `none`, which stand in every text. */
const LEAST_CHARACTERS = 8;

/**
 * Whether a text gives a key away: as it is, as it stands in an address, in Base64, or in pieces. A model that repeats the key
 * sends it in several events of a stream, none of which holds all of it; what one member of these events says is joined.
 */
export function holdsKey(text: string, key: string): boolean {
  if (key.length < LEAST_CHARACTERS) return false;
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')];
  return [text, ...joinedMembers(text)].some((each) => forms.some((form) => each.includes(form)));
}

/** For each name of a member, the texts that stand there in all events of a stream, one after the other. */
function joinedMembers(stream: string): readonly string[] {
  const joined = new Map<string, string>();
  const visit = (name: string, value: Json): void => {
    if (typeof value === 'string') joined.set(name, (joined.get(name) ?? '') + value);
    else if (Array.isArray(value)) value.forEach((each: Json) => visit(name, each));
    else if (isObject(value)) for (const [member, each] of Object.entries(value)) visit(member, each);
  };
  for (const [, event = ''] of stream.matchAll(/^data: ?(.*)$/gm)) {
    try {
      visit('', JSON.parse(event) as Json);
    } catch {
      // The end of a stream is no JSON.
    }
  }
  return [...joined.values()];
}
