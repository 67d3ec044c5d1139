import { expect, test } from 'vitest';

/** All texts of the page that are translated: the catalogues, the lessons, the demos, the player and the page for platforms. */
const sources = import.meta.glob<string>(
  [
    './??/*.ts',
    '../../lessons/*/??/*.{md,json}',
    '../../lessons/demo/words/*.json',
    '../../embed/words/*.ts',
    '../../cmi5/page/words/*.ts',
  ],
  { eager: true, query: '?raw', import: 'default' },
);

const NAMES: Readonly<Record<string, string>> = {
  de: 'german',
  ru: 'russian',
  zh: 'chinese',
  ar: 'arabic',
};

/** Words beside which another one is in use for the same thing everywhere else. */
const AVOIDED: readonly (readonly [language: string, avoided: RegExp, instead: string])[] = [
  ['de', /Werkzeug/, 'Tool'],
  ['de', /Unteragent/, 'Subagent'],
  ['de', /Inspector\b/, 'Inspektor'],
  ['de', /\bStrg\b/, 'Ctrl, as the page writes keys'],
  ['de', /\b(du|dich|dein\w*|deine\w*)\b/, 'Sie'],
  ['ru', /сесси[яиюей]/i, 'сеанс'],
  ['ru', /бесед[аеуы]/i, 'разговор'],
  ['ru', /API-ключ/, 'ключ API'],
  ['ru', /service worker/i, 'сервис-воркер'],
  ['zh', /您/, '你'],
  ['zh', /子代理|AI 代理/, '智能体'],
  ['zh', /隐私窗口/, '无痕窗口'],
  ['zh', /……/, '…'],
  ['ar', /وسائط/, 'وسيطات'],
  ['ar', /رسوميات/, 'رسومات'],
  ['ar', /تذهب (الطلبات|الرسائل)/, 'تُرسل الموجّهات'],
];

test.each(AVOIDED)('in %s nothing is called %s', (language, avoided) => {
  const own = Object.entries(sources).filter(
    ([path]) =>
      path.includes(`/${language}/`) ||
      path.endsWith(`/${language}.json`) ||
      path.includes(NAMES[language] ?? ''),
  );
  expect(own.length).toBeGreaterThan(20);
  const found = own.flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => (avoided.test(line) ? `${path}: ${line.trim()}` : [])),
  );
  expect(found).toEqual([]);
});
