import type { Mode } from '../../../permissions/modes.ts';
import type { Outcome } from '../../../session/log/events.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

/** The form for this number: 1 and 21 need `one`, 2 to 4 `few`, 5 to 20 `many`. */
export function form(count: number, one: string, few: string, many: string): string {
  // Fractions, which need `other`, are not counted anywhere; most nouns would have the form of `few` there.
  return plural(count, { one, few, many, other: few });
}

/** A number with the form that it needs. */
export function counted(count: number, one: string, few: string, many: string): string {
  return `${formatNumber(count)} ${form(count, one, few, many)}`;
}

/** In the nominative and the accusative: `2 файла`. */
export const files = (count: number) => counted(count, 'файл', 'файла', 'файлов');

/** In the genitive: `из 2 файлов`. */
export const ofFiles = (count: number) => counted(count, 'файла', 'файлов', 'файлов');

/** In the prepositional: `в 2 файлах`. */
export const inFiles = (count: number) => counted(count, 'файле', 'файлах', 'файлах');

/** How files that already exist were treated. */
export const keptFiles = (count: number) =>
  `${files(count)} уже ${form(count, 'существовал и не был заменён', 'существовали и не были заменены', 'существовали и не были заменены')}.`;

export const modeNames: Readonly<Record<Mode, string>> = {
  ask: 'Сначала спросить',
  'auto-edit': 'Автоправка',
  plan: 'План',
  bypass: 'Обход',
};

export const outcomes: Readonly<Record<Outcome, string>> = {
  ok: 'готово',
  failed: 'ошибка',
  denied: 'отклонено',
  cancelled: 'отменено',
  interrupted: 'прервано',
  invalid: 'недопустимо',
};

/** The text with this name, if there is one. */
export function named(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** An outcome that comes as it is in the log; anything else stays as it is. */
export const outcomeNamed = (outcome: string) => named(outcomes, outcome) ?? outcome;

export const exit = (code: number) => `код выхода ${code}`;

/** States of a call that has not ended. */
export const callStates = {
  typing: 'пишутся аргументы',
  running: 'выполняется',
  waiting: 'ждёт вас',
};
