import { isObject, type Json } from '../../src/base/json.ts';

/** Shorter keys are placeholders such as `none`, which stand in every text. */
const LEAST_CHARACTERS = 8;

/**
 * Whether a text gives a key away: as it is, as it stands in an address, in Base64, or in pieces. A model that repeats the key
 * sends it in several events of a stream, none of which holds all of it; what one member of these events says is joined.
 */
export function holdsKey(text: string, key: string): boolean {
  if (key.length < LEAST_CHARACTERS) return false;
  const inAddress = encodeURIComponent(key).toLowerCase();
  return [text, ...joinedMembers(text)].some(
    (each) =>
      each.includes(key) ||
      each.toLowerCase().includes(inAddress) ||
      base64Forms(key).some((form) => each.replaceAll('-', '+').replaceAll('_', '/').includes(form)),
  );
}

/** The key as it stands within longer Base64, such as that of `user:key`, where it can begin at any of three places. */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = Math.floor((bytes.length * 4) / 3);
    return bytes.toString('base64').slice(Math.ceil((before * 4) / 3), whole);
  });
}

/** For each name of a member, the texts that stand there in a JSON, or in all events of a stream, one after the other. */
function joinedMembers(stream: string): readonly string[] {
  const joined = new Map<string, string>();
  const visit = (name: string, value: Json): void => {
    if (typeof value === 'string') joined.set(name, (joined.get(name) ?? '') + value);
    else if (Array.isArray(value)) value.forEach((each: Json) => visit(name, each));
    else if (isObject(value)) for (const [member, each] of Object.entries(value)) visit(member, each);
  };
  const events = [...stream.matchAll(/^data: ?(.*)$/gm)].map(([, event = '']) => event);
  for (const event of events.length > 0 ? events : [stream]) {
    try {
      visit('', JSON.parse(event) as Json);
    } catch {
      // The end of a stream is no JSON, nor is every answer.
    }
  }
  return [...joined.values()];
}
