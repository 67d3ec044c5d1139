import { counted, nouns } from './text.ts';

/** Why a person is asked, by what decided it. */
export const reasonsToAsk = {
  default: 'يتطلب هذا إذنًا افتراضيًا.',
  'own-config': 'تكوينك الخاص يطلب الإذن لهذا.',
  config: 'تكوين مساحة العمل هذه يطلب الإذن لهذا.',
  settings: 'إعداداتك تطلب الإذن لهذا.',
  agent: 'على هذا الوكيل أن يطلب الإذن لهذا.',
  session: 'قاعدة في هذه الجلسة تطلب الإذن لهذا.',
  workspace: 'قاعدة في مساحة العمل هذه تطلب الإذن لهذا.',
  parent: 'الوكيل الذي أسند هذا العمل عليه هو أيضًا أن يطلب الإذن لهذا.',
  everywhere: 'قاعدة لكل مساحات العمل تطلب الإذن لهذا.',
  mode: 'وضع هذه الجلسة يطلب الإذن لهذا.',
  none: 'لا قاعدة تشمل هذا.',
};

/** The harm that a dangerous command does, as the end of a sentence about it. */
export const dangers = {
  remove: 'قد يحذف أو يفرّغ مساحة العمل كلها أو مجلدًا للنظام أو ملفات Git نفسها',
  'fork-bomb': 'يشغّل نفسه مرارًا حتى لا يعود بالإمكان تشغيل شيء آخر',
  'network-to-shell': 'يشغّل نصًا برمجيًا منزّلًا دون عرضه عليك',
  'hidden-code': 'يشغّل شيفرة لا تراها قبل تشغيلها',
  disk: 'يكتب فوق محتوى قرص أو جهاز',
  permissions: 'يغيّر من يحق له استخدام شجرة ملفات كاملة',
  'git-history': 'يعيد كتابة سجل Git أو يزيل منه، هنا أو على خادم',
  'git-discard': 'يتخلص من تغييرات لم تُودَع',
  'git-files': 'يغيّر ما يشغّله Git من تلقاء نفسه: الخطافات أو التكوين',
  system: 'يوقف الجهاز أو كل عملياته',
};

const ORDINALS: Readonly<Record<number, string>> = {
  2: 'الثانية',
  3: 'الثالثة',
  4: 'الرابعة',
  5: 'الخامسة',
  6: 'السادسة',
  7: 'السابعة',
  8: 'الثامنة',
  9: 'التاسعة',
  10: 'العاشرة',
};

/** “For the third time”. */
export function ordinal(n: number): string {
  return `للمرة ${ORDINALS[n] ?? `رقم ${n}`}`;
}

export function foldedBlanks(breaks: number, blanks: number): string {
  return [
    ...(breaks > 0 ? [counted(breaks, nouns.lineEnd)] : []),
    ...(blanks > 0 ? [counted(blanks, nouns.blank)] : []),
  ].join('، ');
}

export function foldedText(lines: number, characters: number): string {
  const size = counted(characters, nouns.character);
  return lines > 1 ? `بقي ${counted(lines, nouns.line)} (${size})` : `بقي ${size}`;
}

/** The size of a text that is asked about, parts of which are folded. */
export function textSize(lines: number, characters: number): string {
  const size = `${counted(lines, nouns.line)}، ${counted(characters, nouns.character)}`;
  return `${size}. افتح الأجزاء المطوية قبل السماح.`;
}
