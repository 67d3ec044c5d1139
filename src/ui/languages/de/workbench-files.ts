import type { SettingsNote } from '../../workbench/files/editor/format/protocol.ts';
import type { LeftWhy } from '../../workbench/files/search/replacing.ts';
import type { WorkbenchTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { files } from './shared.ts';

const matches = (count: number) => `${formatNumber(count)} Treffer`;
const places = (count: number) => plural(count, { one: '1 Stelle', other: `${formatNumber(count)} Stellen` });

export const codeServices = {
  problems: (count: number) => plural(count, { one: '1 Problem', other: `${formatNumber(count)} Probleme` }),
  problemsTitle: 'Probleme auflisten (Ctrl+Shift+M). Alt+F8 führt zum nächsten.',
  definition: 'Definition',
  definitionTitle: 'Gehe zu Definition (F12)',
  rename: 'Umbenennen',
  renameTitle: 'Symbol am Cursor umbenennen (F2)',
  unavailable: (why: string) => `Der Sprachdienst kann nicht antworten: ${why}`,
  noDefinition: 'Hier wurde keine Definition gefunden.',
  builtIn: (name: string) =>
    `Deklariert in ${name}; die Datei gehört zu TypeScript und liegt nicht im Arbeitsbereich.`,
  noHover: 'Über diese Stelle ist nichts bekannt.',

  renameLabel: (name: string) => `Neuer Name für ${name}`,
  noName: 'Setzen Sie den Cursor in den Namen, den Sie ändern möchten.',
  saveFirst: (path: string) =>
    `${path} hat ungespeicherte Änderungen. Speichern oder verwerfen Sie sie, bevor Sie umbenennen.`,
  changed: (path: string) =>
    `${path} wurde zwischenzeitlich geändert. Nichts wurde umbenannt. Versuchen Sie es erneut.`,
  halfDone: (paths: string) =>
    `Eine Datei wurde zwischenzeitlich geändert, und diese ließen sich nicht zurücksetzen: ${paths}`,
  places: (found: number, inFiles: number) => `${places(found)} in ${files(inFiles)}:`,
  inFile: (path: string, found: number) => `${path} (${formatNumber(found)})`,
  nothing: 'Nichts würde sich ändern.',
  look: 'Stellen anzeigen',
  renameAll: 'Alle umbenennen',
  cancel: 'Abbrechen',
  renamed: (name: string, found: number) => `An ${places(found)} in ${name} umbenannt.`,
} satisfies WorkbenchTexts['codeServices'];

export const editor = {
  openFiles: 'Geöffnete Dateien',
  textOf: (path: string) => `Text von ${path}`,
  unsaved: 'nicht gespeichert',
  closeTab: 'Schließen',
  save: 'Speichern',
  find: 'Suchen',
  leave: 'Tab rückt ein. Esc, dann Tab verlässt den Text.',
  lineEnds: (name: string) => `Die Datei hat gemischte Zeilenenden. Beim Speichern werden alle zu ${name}.`,
  notSaved: (name: string, why: string) => `${name} wurde nicht gespeichert: ${why}`,
  notDurable: (name: string, why: string) =>
    `${name} ist gespeichert, kann aber nach dem Neuladen verloren sein: ${why}`,
  changedAgain: 'Die Datei wurde gerade geändert. Speichern Sie erneut.',
  loadFailed: 'Der Editor konnte nicht geladen werden, daher ist die Datei schreibgeschützt.',
  tryAgain: 'Erneut versuchen',

  largeReadOnly: 'Große Dateien sind schreibgeschützt.',
  notUTF8:
    'Diese Datei ist nicht durchgehend UTF-8. Einige Zeichen können nicht angezeigt werden, und sie ist schreibgeschützt.',

  closeUnsaved: (name: string) => `${name} hat ungespeicherte Änderungen.`,
  discard: 'Verwerfen',
  cancel: 'Abbrechen',

  changedBy: (name: string, agent: boolean) =>
    agent
      ? `Der Agent hat ${name} geändert, während Sie ungespeicherte Änderungen hatten.`
      : `${name} wurde geändert, während Sie ungespeicherte Änderungen hatten.`,
  showBoth: 'Beide anzeigen',
  keepMine: 'Meine behalten',
  takeTheirs: (agent: boolean) => (agent ? 'Die des Agenten übernehmen' : 'Die andere übernehmen'),
  bothLegend: (agent: boolean) =>
    agent
      ? 'Zeilen mit − sind vom Agenten, Zeilen mit + von Ihnen.'
      : 'Zeilen mit − stehen in der Datei, Zeilen mit + sind von Ihnen.',
  comparing: 'Wird verglichen',
  tooDifferent: 'Die beiden Texte sind zu verschieden für einen zeilenweisen Vergleich.',
  deleted: (name: string) => `${name} wurde gelöscht. Speichern legt die Datei neu an.`,

  phrases: {
    Find: 'Suchen',
    Replace: 'Ersetzen durch',
    next: 'Weiter',
    previous: 'Zurück',
    all: 'Alle auswählen',
    'match case': 'Groß-/Kleinschreibung beachten',
    'by word': 'Nur ganzes Wort',
    regexp: 'Regulärer Ausdruck',
    replace: 'Ersetzen',
    'replace all': 'Alle ersetzen',
    close: 'Suche schließen',
    'current match': 'Treffer',
    'replaced $ matches': '$ Treffer ersetzt.',
    'replaced match on line $': 'Treffer in Zeile $ ersetzt.',
    'on line': 'in Zeile',
    Diagnostics: 'Probleme',
    'No diagnostics': 'Keine Probleme',
    Completions: 'Vervollständigungen',
    'Go to line': 'Gehe zu Zeile',
    go: 'Los',
  },
} satisfies WorkbenchTexts['editor'];

export const format = {
  format: 'Formatieren',
  keys: 'Shift+Alt+F',
  onSave: 'Beim Speichern formatieren',
  formatting: 'Wird formatiert',
  formatted: 'Formatiert.',
  unchanged: 'Der Text ist bereits formatiert.',
  ignored:
    'Diese Datei ist durch .prettierignore ausgenommen oder gehört zu einem Paket. Nichts wurde geändert.',
  syntax: (line: number, column: number, message: string) =>
    `Nicht formatiert. Zeile ${line}, Spalte ${column}: ${message}`,
  failed: (why: string) => `Nicht formatiert. ${why}`,
  changedMeanwhile:
    'Nicht formatiert, weil der Text zwischenzeitlich geändert wurde. Formatieren Sie erneut.',
  note: (note: SettingsNote, path: string): string => {
    switch (note.kind) {
      case 'code':
        return `${path} ist Code, der dafür nicht ausgeführt wird: Die Standardwerte und .editorconfig wurden verwendet.`;
      case 'unreadable':
        return `${path} konnte nicht gelesen werden (${note.why}), daher wurden die Standardwerte und .editorconfig verwendet.`;
      case 'plugins':
        return `Die Plugins in ${path} wurden ausgelassen.`;
    }
  },
} satisfies WorkbenchTexts['format'];

export const folder = {
  connect: 'Ordner auf Ihrem Rechner verbinden',
  region: (name: string) => `Ordner ${name} auf Ihrem Rechner`,
  unsupported:
    'Dieser Browser lässt Seiten nicht in einen Ordner auf Ihrem Rechner schreiben; Chrome und Edge schon. „Ordner hinzufügen“ kopiert einen Ordner in den Arbeitsbereich, und „Alles als ZIP herunterladen“ holt die Dateien heraus.',
  refused: (name: string) =>
    `Der Browser hat keine Berechtigung, ${name} zu lesen und zu schreiben. „Vergleichen“ fragt erneut danach.`,
  failed: (why: string) => `Das hat nicht geklappt: ${why}`,
  equal: 'Keine Datei des Arbeitsbereichs weicht davon ab.',
  differ: (count: number) =>
    plural(count, {
      one: '1 Datei des Arbeitsbereichs wurde seitdem geändert.',
      other: `${formatNumber(count)} Dateien des Arbeitsbereichs wurden seitdem geändert.`,
    }),
  compare: 'Vergleichen',
  disconnect: 'Trennen',
  disconnected: (name: string) =>
    `${name} ist nicht mehr verbunden. Die Dateien darin bleiben, wie sie sind.`,
  undo: 'Rückgängig',
  working: 'In Arbeit',
  reading: (count: number) => `Lesen: ${files(count)}`,
  copying: (done: number, total: number) => `Kopieren: ${formatNumber(done)} von ${files(total)}`,
  stop: 'Stoppen',

  nothing: 'Beide enthalten dieselben Dateien.',
  plan: 'Unterschiede',
  groups: {
    out: 'Im Arbeitsbereich geändert: auf Ihren Rechner schreiben',
    in: 'Auf Ihrem Rechner geändert: in den Arbeitsbereich holen',
    both: 'In beiden geändert: einzeln entscheiden',
  },
  kinds: { added: 'neu', changed: 'geändert', removed: 'gelöscht' },
  choice: (path: string) => `Was mit ${path} geschehen soll`,
  leave: 'Beide lassen, wie sie sind',
  toDisk: 'Version des Arbeitsbereichs auf Ihren Rechner schreiben',
  fromDisk: 'Version Ihres Rechners in den Arbeitsbereich holen',
  more: (count: number) =>
    plural(count, { one: '1 weitere Datei', other: `${formatNumber(count)} weitere Dateien` }),
  carryOut: (count: number) => `${files(count)} kopieren`,
  cancel: 'Abbrechen',

  wrote: (count: number) => `${files(count)} auf Ihren Rechner geschrieben.`,
  brought: (count: number) => `${files(count)} in den Arbeitsbereich geholt.`,
  left: (count: number) => `${files(count)} unverändert gelassen.`,
  dismiss: 'Schließen',
} satisfies WorkbenchTexts['folder'];

export const search = {
  title: 'In Dateien suchen',
  close: 'Suche schließen',
  field: 'Suchen nach',
  matchCase: 'Groß-/Kleinschreibung beachten',
  words: 'Nur ganzes Wort',
  regexp: 'Regulärer Ausdruck',
  by: 'Ersetzen durch',
  byHint: '$1 ist die erste Gruppe, $& der Treffer, \\n eine neue Zeile.',
  replaceToo: 'Ersetzen',
  filters: 'Dateien eingrenzen',
  include: 'Nur in',
  includeHint: 'src, *.ts',
  exclude: 'Nicht in',
  excludeHint: 'dist, *.min.js',
  ignoredToo: 'Auch ignorierte Dateien',

  results: 'Treffer',
  searching: 'Suche läuft',
  none: 'Nichts gefunden.',
  found: (n: number, inFiles: number) => `${matches(n)} in ${files(inFiles)}`,
  more: (shown: number) =>
    plural(shown, {
      one: 'Es gibt weitere. Nur der erste Treffer wird angezeigt, und nur er wird ersetzt.',
      other: `Es gibt weitere. Nur die ersten ${matches(shown)} werden angezeigt, und nur sie werden ersetzt.`,
    }),
  timedOut: 'Die Suche hat zu lange gedauert. Angezeigt wird, was bis dahin gefunden wurde.',
  ignoredLeftOut: 'Ignorierte Dateien wie node_modules wurden nicht durchsucht.',
  invalid: (why: string) => `Dies ist kein regulärer Ausdruck: ${why}`,
  failed: (why: string) => `Die Suche ist fehlgeschlagen: ${why}`,
  inFile: (path: string, count: number) => `${path}, ${matches(count)}`,
  line: (line: number) => `Zeile ${line}`,
  becomes: 'wird zu',

  replace: 'Ersetzen',
  replaceOne: (line: number, path: string) => `In Zeile ${line} von ${path} ersetzen`,
  replaceFile: (path: string) => `Alle in ${path} ersetzen`,
  replaceAll: (count: number) => `${matches(count)} ersetzen`,
  cut: 'Diese Zeile ist zu lang, um hier ersetzt zu werden.',
  working: 'Wird ersetzt',
  replaced: (n: number, inFiles: number) => `${matches(n)} in ${files(inFiles)} ersetzt.`,
  notReplaced: 'Nichts wurde ersetzt.',
  left: (count: number) => `${files(count)} unverändert gelassen.`,
  why: {
    changed: 'seit der Suche geändert',
    unsaved: 'hat ungespeicherte Änderungen',
    'not-text': 'ist nicht durchgehend UTF-8',
    failed: 'konnte nicht geschrieben werden',
  } satisfies Record<LeftWhy, string>,
  leftFile: (path: string, why: string) => `${path}: ${why}`,
  undo: 'Rückgängig',
  undone: 'Die Ersetzungen sind rückgängig gemacht.',
  changedSince: 'seit der Ersetzung geändert',
} satisfies WorkbenchTexts['search'];

export const find = {
  title: 'Gehe zu Datei',
  field: 'Name der Datei',
  placeholder: 'Teil eines Namens und :Zeile',
  list: 'Dateien',
  loading: 'Dateien werden aufgelistet',
  none: 'Keine solche Datei',
  empty: 'Dieser Arbeitsbereich hat noch keine Dateien.',
  noWorkspace: 'Öffnen Sie zuerst eine Sitzung: Dateien gehören zu ihrem Arbeitsbereich.',
  failed: (why: string) => `Die Dateien können nicht aufgelistet werden: ${why}`,
  found: (count: number) =>
    `${files(count)}: Pfeil nach oben und unten wählt aus, Enter öffnet, Esc schließt`,
  atLine: (line: number) => `Zeile ${line}`,
  recent: 'zuletzt geöffnet',
  newest: (count: number) => `Nur die neuesten ${formatNumber(count)} Dateien werden angeboten.`,
} satisfies WorkbenchTexts['find'];
