import { expect, test } from 'vitest';
import { pack } from '../base/packed.ts';
import { fromFile, fromLink, toFile, toLink } from './share.ts';

const source = { markdown: '---\ntitle: Ä\n---\n## <b>One</b>', script: '{"version": 1}' };

test('a lesson survives its link and its file unchanged', async () => {
  const link = await toLink(source);
  expect(link).toMatch(/^[\w-]+$/);
  expect(await fromLink(link)).toEqual(source);
  expect(fromFile(toFile(source))).toEqual(source);
});

test.each([
  ['no letters of a link', '%%%', /damaged/],
  ['letters that unpack to nothing', 'abcd', /damaged/],
  ['an empty one', '', /damaged|JSON/],
])('%s is refused with a reason', async (_, data, why) => {
  await expect(fromLink(data)).rejects.toMatchObject({ fault: { code: 'lesson-invalid', what: why } });
});

test.each([
  ['no JSON', 'hello', /not JSON/],
  ['no object', '[]', /expected object/],
  ['another version', '{"vitrineLesson": 2, "markdown": "", "script": ""}', /vitrineLesson/],
  ['a key that is not known', '{"vitrineLesson": 1, "markdown": "", "script": "", "key": "sk"}', /key/],
  [
    'a prototype',
    '{"vitrineLesson": 1, "__proto__": {"markdown": "", "script": ""}}',
    /markdown|__proto__|nrecognized/,
  ],
  [
    'too much text',
    JSON.stringify({ vitrineLesson: 1, markdown: 'x'.repeat(100_001), script: '' }),
    /markdown/,
  ],
])('%s is refused', async (_, text, why) => {
  await expect(async () => fromFile(text)).rejects.toMatchObject({
    fault: { code: 'lesson-invalid', what: why },
  });
  await expect(fromLink(await pack(text))).rejects.toMatchObject({ fault: { what: why } });
});

test('a short link that would unpack to a huge text is refused', async () => {
  const bomb = await pack('a'.repeat(60_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(fromLink(bomb)).rejects.toMatchObject({ fault: { what: /too large/ } });
});
