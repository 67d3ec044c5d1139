import type { Mode } from '../../../permissions/modes.ts';
import type { Action, RuleSource } from '../../../permissions/types.ts';
import type { FileChange } from '../../../session/compare/summary.ts';
import type { AuditDecision } from '../../../session/log/audit.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { inspector, past } from './glass-inspector.ts';
import { step, you } from './glass-stepping.ts';
import { share } from './share.ts';
import { modeNames } from './shared.ts';
import { reasons } from './calls.ts';

const audit = {
  title: 'Berechtigungsentscheidungen',
  of: (session: string) => `in „${session}“, neueste zuerst. Secrets sind maskiert.`,
  filter: 'Filtern',
  filterHint: 'Befehl, Pfad, Regel oder Grund',
  permission: 'Berechtigung',
  outcome: 'Ergebnis',
  all: 'Alle',
  outcomes: {
    allowed: 'zugelassen',
    denied: 'abgelehnt',
    waiting: 'wartet',
    withdrawn: 'zurückgezogen',
    mode: 'Modus',
    agent: 'Agent',
  } satisfies Record<AuditDecision['outcome'] | 'mode' | 'agent', string>,
  copy: 'Als JSON kopieren',
  older: 'Ältere Entscheidungen anzeigen',
  loading: 'Wird geladen',
  failed: 'Die Entscheidungen konnten nicht gelesen werden.',
  none: 'In dieser Sitzung wurde noch nichts entschieden.',
  noMatch: 'Keine passende Entscheidung.',
  count: (shown: number, of: number) =>
    shown === of ? `Entscheidungen: ${of}` : `Entscheidungen: ${shown} von ${of}`,
  mode: (mode: Mode) => `Der Modus wurde auf „${modeNames[mode]}“ gesetzt.`,
  agent: {
    chosen: (agent: string) => `Der Agent ${agent} wurde ausgewählt: Ab hier gelten seine eigenen Regeln.`,
    'handed-over': (agent: string) =>
      `Sie haben den Agenten ${agent} weitermachen lassen: Ab hier gelten seine eigenen Regeln.`,
  },
  by: {
    person: 'durch Sie',
    automation: 'durch ein Skript (Automatisierung)',
    policy: 'durch eine Regel- oder Modusänderung während des Wartens',
    cancelled: 'ohne Antwort: Die Runde endete vorher',
  },
  replies: {
    once: 'Einmal zugelassen',
    session: 'Für diese Sitzung zugelassen',
    always: 'In diesem Arbeitsbereich immer zugelassen',
    everywhere: 'Überall zugelassen',
    reject: 'Abgelehnt',
  },
  answered: (reply: string, by: string) => `${reply} ${by}`,
  saying: (message: string) => `mit der Nachricht: ${message}`,
  sources: {
    default: 'Standardregeln',
    settings: 'Einstellungen',
    agent: 'Agent',
    session: 'Antwort für diese Sitzung',
    workspace: 'Antwort für diesen Arbeitsbereich',
    everywhere: 'Antwort für alle Arbeitsbereiche',
    parent: 'auftraggebender Agent',
    mode: 'Modus der Sitzung',
    'own-config': 'Ihre eigene Konfiguration',
    config: 'Konfiguration des Arbeitsbereichs',
  } satisfies Record<RuleSource, string>,
  actions: { allow: 'zugelassen', ask: 'nachgefragt', deny: 'abgelehnt' } satisfies Record<Action, string>,
  rule: (pattern: string, action: string, rule: string, source: string) =>
    `${pattern}: ${action} laut Regel ${rule} (Quelle: ${source})`,
  noRule: (pattern: string) => `${pattern}: nachgefragt, keine Regel deckt dies ab`,
  refusedBefore:
    'Dieselbe Anfrage wurde in dieser Runde schon einmal abgelehnt, daher wurde nicht erneut gefragt.',
  danger: (text: string) => `Gefährlich, daher wird gefragt, egal was die Regeln zulassen: ${text}`,
} satisfies GlassTexts['audit'];

const compare = {
  title: 'Vergleichen',
  hint: 'Führt einen Prompt mit zwei Modellen, Agenten oder Einstellungen aus, jeweils mit einer eigenen Kopie der aktuellen Dateien.',
  prompt: 'Prompt',
  sides: ['A', 'B'],
  provider: 'Anbieter',
  model: 'Modell',
  agent: 'Agent',
  effort: 'Denkaufwand',
  effortDefault: 'Standard des Modells',
  mode: 'Modus',
  start: 'Beide ausführen',
  missing: {
    prompt: 'Schreiben Sie zuerst einen Prompt.',
    model: 'Wählen Sie zuerst ein Modell für A und für B.',
  },
  starting: 'Dateien werden kopiert',
  again: 'Neu vergleichen',
  noWorkspace: 'Öffnen Sie zuerst eine Sitzung: Beide Läufe beginnen mit ihren Dateien.',
  figures: 'Kennzahlen',
  rows: {
    status: 'Ende',
    steps: 'Schritte',
    calls: 'Aufrufe',
    failed: 'Fehlgeschlagene oder abgelehnte Aufrufe',
    tokens: 'Tokens (Eingabe, Ausgabe)',
    cost: 'Kosten',
    time: 'Zeit, einschließlich Warten auf Sie',
    files: 'Geänderte Dateien',
  },
  status: {
    idle: 'normal',
    error: 'mit einem Fehler',
    aborted: 'gestoppt',
    rejected: 'abgelehnt',
    interrupted: 'unterbrochen',
  },
  works: 'arbeitet',
  difference: 'B gegenüber A',
  none: 'k. A.',
  stop: (side: string) => `${side} stoppen`,
  open: (side: string) => `${side} öffnen`,
  conversation: (side: string, what: string) => `${side}: ${what}`,
  steps: 'Abweichende Schritte',
  step: 'Schritt',
  lastStep: 'Schritt ohne Aufruf',
  says: 'sagt',
  withWords: 'Mit ihren Texten',
  stepsSame: 'Beide haben dieselben Schritte mit denselben Aufrufen gemacht.',
  wordsSame: 'Beide haben dieselben Schritte mit denselben Aufrufen gemacht und dasselbe gesagt.',
  files: 'Dateien',
  filesNone: 'Keiner der beiden hat eine Datei geändert.',
  changes: {
    same: 'unverändert',
    created: 'erstellt',
    changed: 'geändert',
    removed: 'entfernt',
  } satisfies Record<FileChange, string>,
  equal: 'in beiden gleich',
  file: (a: string, b: string) => `A ${a}, B ${b}`,
  showDiff: (path: string) => `${path} vergleichen`,
  diffHint: 'Im Diff steht − für A und + für B.',
} satisfies GlassTexts['compare'];

const recording = {
  fileName: 'aufzeichnung',
  bar: 'Aufzeichnung',
  reading: 'Aufzeichnung wird gelesen …',
  saving: 'Aufzeichnung wird als Sitzung gespeichert …',
  play: 'Abspielen',
  pause: 'Pause',
  position: 'Position',
  speed: 'Geschwindigkeit',
  times: (speed: number) => (speed === Infinity ? 'Max' : `${formatNumber(speed)}×`),
  clock: (moment: string, duration: string) => `${moment} von ${duration}`,
  recorded: (date: string) =>
    `Aufgezeichnet am ${date}. Sie sehen aufgezeichnete Ausgaben; nichts wird ausgeführt.`,
  asked: (permission: string, what: string) => `Berechtigung angefragt: ${permission} ${what}`,
  askedPerson: (question: string) => `Gefragt: ${question}`,
  answered: {
    once: 'Einmal zugelassen',
    session: 'Für die Sitzung zugelassen',
    always: 'Immer zugelassen',
    everywhere: 'Überall zugelassen',
    reject: 'Abgelehnt',
  },
  answeredWith: (answer: string) => `Geantwortet: ${answer}`,
  dismissed: 'Die Frage wurde verworfen',
  held: 'Von Hand pausiert',
  edited: 'Während einer Pause bearbeitet',
  cover: 'Über diese Aufzeichnung',
  more: 'Mehr',
  moreAbout: 'Mehr über diese Aufzeichnung',
  about: 'Die aufgezeichnete Sitzung eines KI-Agenten, gezeigt von Vitrine.',
  facts: (steps: number, calls: number, duration: string) =>
    `${formatNumber(steps)} ${plural(steps, { one: 'Schritt', other: 'Schritte' })} · ${formatNumber(calls)} ${plural(calls, { one: 'Tool-Aufruf', other: 'Tool-Aufrufe' })} · ${duration}`,
  lacks: 'Nicht in dieser Aufzeichnung:',
  lacksParts: {
    files: (n: number) => (n > 0 ? `Dateien: ${formatNumber(n)}` : 'Dateien'),
    outputs: (n: number) => `Voller Text langer Ausgaben: ${formatNumber(n)}`,
    pictures: (n: number) => `Bilder und Anhänge: ${formatNumber(n)}`,
    requests: (n: number) =>
      `Was an das Modell ging: ${formatNumber(n)} ${plural(n, { one: 'Anfrage', other: 'Anfragen' })}`,
    preview: (n: number) =>
      `Was die Vorschau gemeldet hat: ${formatNumber(n)} ${plural(n, { one: 'Zeile', other: 'Zeilen' })}`,
  },
  lacksLater: 'Ein Teil davon, wie sich die Dateien später geändert haben',
  lacksFiles(n: number, largest: readonly string[]): string {
    const files = `${formatNumber(n)} ${plural(n, { one: 'Datei', other: 'Dateien' })}`;
    return `${files}${n > largest.length ? ', am größten' : ''}: ${largest.join(', ')}`;
  },
  runLacks: {
    none: 'Die Dateien sind nicht in dieser Aufzeichnung. „Live ausführen“ beginnt deshalb in einem leeren Arbeitsbereich: Aufrufe, die eine Datei brauchen, schlagen fehl oder ergeben etwas anderes.',
    some: 'Bilder und Anhänge sind nicht in dieser Aufzeichnung. Bei „Live ausführen“ schlagen Aufrufe, die sie brauchen, deshalb fehl oder ergeben etwas anderes.',
  },
  goOnLacks: {
    none: 'Die Dateien sind nicht in dieser Aufzeichnung. Sie machen deshalb in einem leeren Arbeitsbereich weiter.',
    some: 'Bilder und Anhänge sind nicht in dieser Aufzeichnung. Sie machen deshalb mit den anderen Dateien weiter.',
    older:
      'Einige spätere Stände der Dateien sind nicht in dieser Aufzeichnung. Sie machen deshalb mit den neuesten weiter, die darin sind.',
  },
  preview: 'Das ist eine Vorschau auf das, was andere sehen werden.',
  backToShare: 'Zurück zu „Teilen“',
  inspect: 'Im Inspektor zerlegen',
  goOnEnd: 'Mit dem eigenen Modell fortsetzen',
  goOnEndHint: 'In einer neuen Sitzung, mit den Dateien und der Unterhaltung, wie sie am Ende sind',
  above: (title: string) => (title ? `Zurück zu ${title}` : 'Zurück'),
  notRecorded: 'Diese Sitzung ist nicht in der Aufzeichnung.',
  actions: 'Aktionen für die Aufzeichnung',
  download: 'Herunterladen',
  save: 'Als Sitzung speichern',
  makeScript: 'Skript erstellen',
  leftOut: (paths: readonly string[]) =>
    `Nicht in der Aufzeichnung, weil .gitignore oder eine feste Liste es ausschließt: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` und ${formatNumber(paths.length - 3)} weitere` : ''}.`,
  runReal: 'Live ausführen',
  runRealHint: 'In einem neuen Arbeitsbereich: Die Tools laufen wirklich und fragen wie gewohnt',
  run: 'Live-Lauf der Aufzeichnung',
  runsReal: 'Live-Lauf:',
  pausedReal: 'Live-Lauf, pausiert:',
  pauseHint: 'Das Modell wartet, bis Sie fortsetzen. Ein laufendes Tool läuft zu Ende.',
  ranReal: 'Live-Lauf, beendet:',
  compared(same: number, differs: number, toCome: number, notMade: number): string {
    const all = same + differs + toCome + notMade;
    const calls = `${same} von ${all} ${plural(all, { one: 'Aufruf', other: 'Aufrufen' })}`;
    const match = `${plural(same, { one: 'stimmt', other: 'stimmen' })} mit der Aufzeichnung überein`;
    const other =
      differs > 0 ? `, ${differs} ${plural(differs, { one: 'weicht', other: 'weichen' })} ab` : '';
    const ahead =
      toCome > 0 ? `, ${toCome} ${plural(toCome, { one: 'steht', other: 'stehen' })} noch aus` : '';
    return `${calls} ${match}${other}${ahead}${notMade > 0 ? `, ${notMade} nicht erfolgt` : ''}.`;
  },
  showDifferences: 'Unterschiede anzeigen',
  differences: 'Unterschiede zur Aufzeichnung',
  differencesHint:
    'Jeder aufgezeichnete Aufruf und was diesmal geschah. Gemessene Zeiten gelten als gleich. Im Diff steht − für aufgezeichnet und + für live.',
  states: { same: 'Gleich', differs: 'Abweichend', 'to-come': 'Steht noch aus', 'not-made': 'Nicht erfolgt' },
  step: (number: number) => `Schritt ${number}`,
  stepOfTask: (number: number) => `Schritt ${number} eines Subagenten`,
  editedAgain: 'wie aufgezeichnet bearbeitet',
  outcomes: (then: string, now: string) => `Aufgezeichnet: ${then}. Jetzt: ${now}.`,
  unfinished: 'nicht beendet',
} satisfies GlassTexts['recording'];

export const glass = {
  reasons,
  audit,
  compare,
  inspector,
  past,
  recording,
  share,
  step,
  you,

  fork: {
    goOn: 'Neue Sitzung ab hier',
    making: 'Eine Sitzung mit den Dateien dieses Zeitpunkts wird angelegt',
    made: 'Dies ist eine neue Sitzung in einem eigenen Arbeitsbereich, mit den Dateien dieses Zeitpunkts. Ihre nächste Nachricht setzt hier an.',
  },
} satisfies GlassTexts;
