import type { Mode } from '../../../permissions/modes.ts';
import type { Outcome } from '../../../session/log/events.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

/** Texts that several parts of the page use. */
export const outcomes = {
  ok: 'fertig',
  failed: 'fehlgeschlagen',
  denied: 'abgelehnt',
  cancelled: 'abgebrochen',
  interrupted: 'unterbrochen',
  invalid: 'ungültig',
} satisfies Record<Outcome, string>;

export const callStates = {
  typing: 'schreibt Argumente',
  running: 'läuft',
  waiting: 'wartet auf Sie',
};

export const modeNames: Readonly<Record<Mode, string>> = {
  ask: 'Erst fragen',
  'auto-edit': 'Auto-Bearbeitung',
  plan: 'Planen',
  bypass: 'Bypass',
};

export const exit = (code: number) => `Exitcode ${code}`;

export const files = (count: number) =>
  plural(count, { one: '1 Datei', other: `${formatNumber(count)} Dateien` });

/** Says how many files were left alone because others of the same names existed. */
export const existed = (count: number) =>
  plural(count, {
    one: '1 Datei war schon vorhanden und wurde nicht ersetzt.',
    other: `${formatNumber(count)} Dateien waren schon vorhanden und wurden nicht ersetzt.`,
  });

export const leaveOutIgnored = 'Ohne node_modules, .git und alles aus .gitignore hinzufügen';
