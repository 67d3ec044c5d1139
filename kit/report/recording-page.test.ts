import { expect, test } from 'vitest';
import { filled, inFiles } from './recording-page.ts';

const place = (id: string) => `<script type="application/json" id="${id}"></script>`;
const template = `<p>$&</p>${place('about')}${place('recording')}<script>run()</script>`;

test('no text of a recording ends its element, and each one is read as it was', () => {
  const hostile = '</script><script>alert(1)</script><!--<script> $& $1 \u2028';
  const json = JSON.stringify({ title: hostile });
  const page = filled(template, json, { title: hostile, reason: place('recording') });
  expect(page.match(/<\/?script/g)).toHaveLength(template.match(/<\/?script/g)?.length ?? 0);
  expect(page).not.toContain('<!--');
  const texts = [...page.matchAll(/<script type="application\/json" id="\w+">(.*?)<\/script>/gs)];
  expect(texts.map(([, text]) => JSON.parse(text ?? ''))).toEqual([
    { title: hostile, reason: place('recording') },
    { title: hostile },
  ]);
});

test('pages of one folder share their script and their styles', () => {
  const policy = "script-src 'sha256-ab+/='; style-src 'sha256-cd='";
  const whole = `<meta content="${policy}"><style>p{}</style>${template}`;
  const { files, page } = inFiles(whole);
  expect(files).toEqual({ 'inspector.css': 'p{}', 'inspector.js': 'run()' });
  const one = page('{"a":1}', { title: 'One' });
  expect(one).toContain('{"a":1}');
  expect(one).toContain("script-src 'self' file:; style-src 'self' file:");
  expect(one).toContain('<link rel="stylesheet" href="./inspector.css" />');
  expect(one).toMatch(/<script src="\.\/inspector\.js"><\/script>$/);
  expect(one).not.toContain('run()');
});

test('a page without a place for the recording is refused', () => {
  expect(() => filled('<p></p>', '{}', { title: 'a' })).toThrow('no place for "about"');
});
