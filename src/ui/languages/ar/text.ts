import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

/** A path, a command or other code: it is read from left to right, with the signs at its ends in their places. */
export function ltr(text: string | number): string {
  return `\u2066${text}\u2069`;
}

/** Isolates a text in any language, of a person, a model or another program, from the direction of the text around it. */
export function any(text: string): string {
  return `\u2068${text}\u2069`;
}

export function quoted(text: string): string {
  return `«${any(text)}»`;
}

/** A list of paths or names. */
export function listed(names: readonly string[]): string {
  return names.map(ltr).join('، ');
}

interface Noun {
  /** With the number: the noun and “one”. */
  readonly one: string;
  readonly two: string;
  /** `two` after a verb or a preposition. */
  readonly twoOblique: string;
  /** The forms after the number. */
  readonly few: string;
  readonly many: string;
  readonly other: string;
}

export const nouns = {
  file: {
    one: 'ملف واحد',
    two: 'ملفان',
    twoOblique: 'ملفين',
    few: 'ملفات',
    many: 'ملفًا',
    other: 'ملف',
  },
  entry: {
    one: 'عنصر واحد',
    two: 'عنصران',
    twoOblique: 'عنصرين',
    few: 'عناصر',
    many: 'عنصرًا',
    other: 'عنصر',
  },
  message: {
    one: 'رسالة واحدة',
    two: 'رسالتان',
    twoOblique: 'رسالتين',
    few: 'رسائل',
    many: 'رسالة',
    other: 'رسالة',
  },
  session: {
    one: 'جلسة واحدة',
    two: 'جلستان',
    twoOblique: 'جلستين',
    few: 'جلسات',
    many: 'جلسة',
    other: 'جلسة',
  },
  command: {
    one: 'أمر واحد',
    two: 'أمران',
    twoOblique: 'أمرين',
    few: 'أوامر',
    many: 'أمرًا',
    other: 'أمر',
  },
  step: {
    one: 'خطوة واحدة',
    two: 'خطوتان',
    twoOblique: 'خطوتين',
    few: 'خطوات',
    many: 'خطوة',
    other: 'خطوة',
  },
  call: {
    one: 'استدعاء واحد',
    two: 'استدعاءان',
    twoOblique: 'استدعاءين',
    few: 'استدعاءات',
    many: 'استدعاءً',
    other: 'استدعاء',
  },
  tool: {
    one: 'أداة واحدة',
    two: 'أداتان',
    twoOblique: 'أداتين',
    few: 'أدوات',
    many: 'أداة',
    other: 'أداة',
  },
  model: {
    one: 'نموذج واحد',
    two: 'نموذجان',
    twoOblique: 'نموذجين',
    few: 'نماذج',
    many: 'نموذجًا',
    other: 'نموذج',
  },
  test: {
    one: 'اختبار واحد',
    two: 'اختباران',
    twoOblique: 'اختبارين',
    few: 'اختبارات',
    many: 'اختبارًا',
    other: 'اختبار',
  },
  error: {
    one: 'خطأ واحد',
    two: 'خطآن',
    twoOblique: 'خطأين',
    few: 'أخطاء',
    many: 'خطأً',
    other: 'خطأ',
  },
  problem: {
    one: 'مشكلة واحدة',
    two: 'مشكلتان',
    twoOblique: 'مشكلتين',
    few: 'مشكلات',
    many: 'مشكلة',
    other: 'مشكلة',
  },
  match: {
    one: 'نتيجة واحدة',
    two: 'نتيجتان',
    twoOblique: 'نتيجتين',
    few: 'نتائج',
    many: 'نتيجة',
    other: 'نتيجة',
  },
  place: {
    one: 'موضع واحد',
    two: 'موضعان',
    twoOblique: 'موضعين',
    few: 'مواضع',
    many: 'موضعًا',
    other: 'موضع',
  },
  job: {
    one: 'مهمة واحدة في الخلفية',
    two: 'مهمتان في الخلفية',
    twoOblique: 'مهمتين في الخلفية',
    few: 'مهام في الخلفية',
    many: 'مهمة في الخلفية',
    other: 'مهمة في الخلفية',
  },
  breakpoint: {
    one: 'نقطة توقف واحدة',
    two: 'نقطتا توقف',
    twoOblique: 'نقطتي توقف',
    few: 'نقاط توقف',
    many: 'نقطة توقف',
    other: 'نقطة توقف',
  },
  answer: {
    one: 'إجابة واحدة',
    two: 'إجابتان',
    twoOblique: 'إجابتين',
    few: 'إجابات',
    many: 'إجابة',
    other: 'إجابة',
  },
  event: {
    one: 'حدث واحد',
    two: 'حدثان',
    twoOblique: 'حدثين',
    few: 'أحداث',
    many: 'حدثًا',
    other: 'حدث',
  },
  chunk: {
    one: 'جزء واحد',
    two: 'جزآن',
    twoOblique: 'جزأين',
    few: 'أجزاء',
    many: 'جزءًا',
    other: 'جزء',
  },
  item: {
    one: 'بند واحد',
    two: 'بندان',
    twoOblique: 'بندين',
    few: 'بنود',
    many: 'بندًا',
    other: 'بند',
  },
  time: {
    one: 'مرة واحدة',
    two: 'مرتان',
    twoOblique: 'مرتين',
    few: 'مرات',
    many: 'مرة',
    other: 'مرة',
  },
  line: {
    one: 'سطر واحد',
    two: 'سطران',
    twoOblique: 'سطرين',
    few: 'أسطر',
    many: 'سطرًا',
    other: 'سطر',
  },
  lineEnd: {
    one: 'نهاية سطر واحدة',
    two: 'نهايتا سطر',
    twoOblique: 'نهايتي سطر',
    few: 'نهايات أسطر',
    many: 'نهاية سطر',
    other: 'نهاية سطر',
  },
  character: {
    one: 'حرف واحد',
    two: 'حرفان',
    twoOblique: 'حرفين',
    few: 'أحرف',
    many: 'حرفًا',
    other: 'حرف',
  },
  blank: {
    one: 'مسافة واحدة',
    two: 'مسافتان',
    twoOblique: 'مسافتين',
    few: 'مسافات',
    many: 'مسافة',
    other: 'مسافة',
  },
} as const satisfies Readonly<Record<string, Noun>>;

/** So many of them, as the subject of a sentence or alone. */
export function counted(count: number, noun: Noun): string {
  return amount(count, noun.one, noun.two, noun);
}

/** So many of them, after a verb, a preposition or another noun. */
export function countedAfter(count: number, noun: Noun): string {
  return amount(count, noun.one, noun.twoOblique, noun);
}

function amount(count: number, one: string, two: string, { few, many, other }: Noun): string {
  const number = formatNumber(count);
  return plural(count, {
    zero: `${number} ${other}`,
    one,
    two,
    few: `${number} ${few}`,
    many: `${number} ${many}`,
    other: `${number} ${other}`,
  });
}
