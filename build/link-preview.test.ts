import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withSite } from './link-preview.ts';

const page = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
const picture = readFileSync(new URL('../public/link-preview.png', import.meta.url));

test('the page names a picture of the size that it says', () => {
  const said = (name: string) => Number(new RegExp(`og:image:${name}" content="(\\d+)"`).exec(page)?.[1]);
  expect(picture.readUInt32BE(16)).toBe(said('width'));
  expect(picture.readUInt32BE(20)).toBe(said('height'));
  expect(page).toContain('property="og:image" content="./link-preview.png"');
});

test('with the address of the site, the picture has a whole address', () => {
  for (const site of ['https://vitrine.example/app', 'https://vitrine.example/app/']) {
    const named = withSite(page, site);
    expect(named).toContain('property="og:image" content="https://vitrine.example/app/link-preview.png"');
    expect(named).toContain('property="og:url" content="https://vitrine.example/app/"');
    expect(named).not.toContain('./link-preview.png');
  }
});

test('what is no address is refused', () => {
  expect(() => withSite(page, 'vitrine.example')).toThrow('VITRINE_SITE');
  expect(() => withSite('<head></head>', 'https://vitrine.example')).toThrow('no meta element');
});
