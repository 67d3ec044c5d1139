import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('public/manifest.webmanifest'));

test('the manifest names only icons, lessons and recordings that exist, all relative to where the app is served', () => {
  for (const { src, sizes, type } of manifest.icons) {
    const file = new URL(`../public/${src}`, import.meta.url);
    expect(existsSync(file), src).toBe(true);
    if (type !== 'image/png') continue;
    const png = readFileSync(file);
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
  const lessons = readdirSync(new URL('../src/lessons', import.meta.url)).map((name) =>
    name.replace(/^\d+-/, ''),
  );
  for (const { url } of manifest.shortcuts) {
    const { searchParams } = new URL(url, 'https://vitrine.example/');
    const [lesson, recording] = [searchParams.get('lesson'), searchParams.get('recording')];
    expect(lesson ? lessons : readdirSync('public/examples').map((name) => `examples/${name}`)).toContain(
      lesson ?? recording,
    );
  }
  for (const url of [manifest.start_url, manifest.scope]) expect(url).toBe('./');
  // An id is relative to the origin, so that all sites of an origin would be one app. Without it, it is the start address.
  expect(manifest.id).toBeUndefined();
});

test("the page has both schemes' colours, and the manifest the light one", () => {
  const colours = [...read('index.html').matchAll(/name="theme-color"[^>]*content="(#\w+)"/g)].map(
    ([, hex]) => hex,
  );
  expect(colours).toEqual([manifest.theme_color, '#101719']);
});
