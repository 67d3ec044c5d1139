import type { ConversationTexts, GlassTexts } from '../catalogue.ts';
import { plural } from '../plural.ts';

/** The verbs of the app's tools, by the English ones of their cards. */
const verbOf: Readonly<Record<string, string>> = {
  Patch: 'Patchen',
  Run: 'Ausführen',
  Batch: 'Stapel',
  'Search code': 'Code durchsuchen',
  Edit: 'Bearbeiten',
  Search: 'Suchen',
  List: 'Auflisten',
  'Plan first': 'Erst planen',
  'Plan is ready': 'Plan ist fertig',
  Ask: 'Fragen',
  Read: 'Lesen',
  Skill: 'Skill',
  'Sub-agent': 'Subagent',
  'In background': 'Im Hintergrund',
  'Background work': 'Auftrag im Hintergrund',
  'Stop work': 'Auftrag stoppen',
  Plan: 'Plan',
  Fetch: 'Abrufen',
  'Search web': 'Web durchsuchen',
  Write: 'Schreiben',
  Definition: 'Definition',
  References: 'Verweise',
  Type: 'Typ',
  Symbols: 'Symbole',
  'Find symbol': 'Symbol suchen',
  Implementations: 'Implementierungen',
  Calls: 'Aufrufe',
  Callers: 'Aufrufer',
  Callees: 'Aufgerufene',
  Rename: 'Umbenennen',
  Check: 'Prüfen',
  'Code actions': 'Code-Aktionen',
  Preview: 'Vorschau',
  Open: 'Öffnen',
  'Look at the page': 'Seite ansehen',
  'Read the console': 'Konsole lesen',
  Click: 'Klicken',
  Press: 'Drücken',
  Choose: 'Auswählen',
  'Wait for': 'Warten auf',
  'Run in the page': 'In der Seite ausführen',
  'Resize the page': 'Seitengröße ändern',
  'Reload the page': 'Seite neu laden',
  'Go back': 'Zurückgehen',
  'Type text': 'Text eingeben',
};

export const verbs = {
  of: (english: string) => verbOf[english] ?? english,
} satisfies ConversationTexts['verbs'];

export const reasons = {
  yourArguments: 'Der Aufruf lief nicht: Ihre Argumente passen nicht zum Schema.',
  cannotRun:
    'Der Aufruf lief nicht: Das Modell hat ihn so geschrieben, dass er nicht ausführbar ist, und den Grund erfahren.',
  noDecision: 'Keine Entscheidung nötig: Dieses Tool fragt nach nichts.',
  endedBefore: {
    cancelled: 'Abgebrochen, bevor etwas entschieden wurde.',
    interrupted: 'Unterbrochen, bevor etwas entschieden wurde.',
    other: 'Beendet, bevor etwas entschieden wurde.',
  },
  stillWritten: 'Das Modell schreibt den Aufruf noch.',
  notStarted: 'Der Aufruf hat noch nicht begonnen.',
  deniedBefore: 'Ohne Nachfrage abgelehnt: Dieselbe Anfrage wurde in dieser Runde schon abgelehnt.',
  dangerous: (text: string) =>
    `Nachgefragt, egal was die Regeln zulassen: ${text} passt zu einem gefährlichen Muster.`,
  verdict: {
    asked: (cause: string) => `Nachgefragt: ${cause}.`,
    denied: (cause: string) => `Ohne Nachfrage abgelehnt: ${cause}.`,
    allowed: (cause: string) => `Ohne Nachfrage zugelassen: ${cause}.`,
  },
  askedWithoutRule: 'Nachgefragt, weil keine Regel zutrifft.',
  decidedWithoutRule: 'Ohne Regel entschieden.',
  noRule: (pattern: string) => `Für „${pattern}“ gibt es keine Regel`,
  byRule: (rule: string, source: string, pattern: string) =>
    `Über „${pattern}“ hat die Regel „${rule}“ entschieden (${source})`,
  also: (same: number, other: number) =>
    [
      same > 0 &&
        plural(same, { one: 'ein weiteres Muster', other: `${same} weitere Muster` }) +
          ' durch dieselbe Regel',
      other > 0 && plural(other, { one: 'ein anderes', other: `${other} andere` }) + ' durch andere Regeln',
    ]
      .filter(Boolean)
      .join(', '),
  withAlso: (cause: string, also: string) => `${cause}; ${also}`,
  withdrawn: (time: string) => `Nach ${time} zurückgezogen: Die Runde endete vor der Antwort.`,
  answered: (answer: string, time: string) => `${answer}, nach ${time}.`,
  answeredSaying: (answer: string, time: string, message: string) =>
    `${answer}, nach ${time}, mit der Begründung: ${message}.`,
  waits: 'Der Aufruf wartet auf Ihre Antwort.',
} satisfies GlassTexts['reasons'];
