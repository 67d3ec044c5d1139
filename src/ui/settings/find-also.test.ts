import { expect, test } from 'vitest';
import { settingsPages as german } from '../languages/de/settings-pages.ts';
import { settingsPages as russian } from '../languages/ru/settings-pages.ts';
import { settingsPages as chinese } from '../languages/zh/settings-pages.ts';
import { settingsPages as arabic } from '../languages/ar/settings-pages.ts';
import { ENGLISH_ALSO } from './page-words.ts';

type Setting = keyof typeof ENGLISH_ALSO;

/** Words that people look for, in each language, and the setting that they mean. */
const SOUGHT: readonly (readonly [Setting, en: string, de: string, ru: string, zh: string, ar: string])[] = [
  ['keys', 'keyboard', 'Tastatur', 'клавиатура', '键盘', 'لوحة المفاتيح'],
  ['keys', 'shortcut', 'Kürzel', 'клавиш', '快捷键', 'اختصار'],
  ['textSize', 'font', 'Schrift', 'шрифт', '字体', 'خط'],
  ['theme', 'theme', 'Theme', 'тема', '主题', 'سمة'],
  ['theme', 'dark', 'dunkel', 'темн', '深色', 'داكن'],
  ['language', 'language', 'Sprache', 'язык', '语言', 'لغة'],
  ['notifications', 'notification', 'Benachrichtigung', 'уведомлен', '通知', 'إشعار'],
  ['sound', 'sound', 'Ton', 'звук', '声音', 'صوت'],
  ['storage', 'storage', 'Speicher', 'память', '存储', 'تخزين'],
  ['apiKey', 'key', 'Schlüssel', 'ключ', '密钥', 'مفتاح'],
  ['model', 'price', 'Preis', 'цена', '价格', 'سعر'],
  ['model', 'free', 'kostenlos', 'бесплатн', '免费', 'مجاني'],
];

test.each(SOUGHT)('%s is found by “%s”, “%s”, “%s”, “%s” and “%s”', (name, en, de, ru, zh, ar) => {
  const all = [
    [ENGLISH_ALSO, en],
    [german.also, de],
    [russian.also, ru],
    [chinese.also, zh],
    [arabic.also, ar],
  ] as const;
  const missing = all.flatMap(([also, word]) =>
    also[name].toLowerCase().includes(word.toLowerCase()) ? [] : word,
  );
  expect(missing).toEqual([]);
});
