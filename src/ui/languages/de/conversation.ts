import type { TaskReportState } from '../../../tools/task/tasks.ts';
import type { ConversationTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { conversationTexts } from './conversation-cards.ts';
import { files } from './shared.ts';
import { verbs } from './calls.ts';
import { fault } from './faults.ts';

const restoreTexts = {
  actions: 'Aktionen für diese Nachricht',
  copy: 'Nachricht kopieren',
  edit: 'Bearbeiten',
  delete: 'Löschen',
  deleteHint:
    'Diese Nachricht und die Antwort darauf aus der Unterhaltung löschen. Die Dateien bleiben, wie sie sind.',
  deleted: 'Nachricht und Antwort wurden aus der Unterhaltung gelöscht. Die Dateien bleiben, wie sie sind.',
  answerActions: 'Aktionen für diese Antwort',
  retry: 'Erneut versuchen',
  retryHint:
    'Ihre Nachricht noch einmal senden. Diese Antwort bleibt als eigene Version mit ihren Dateien erhalten.',
  restore: 'Diesen Stand wiederherstellen',
  editing: 'Ihre Nachricht bearbeiten',
  resend: 'Senden',
  cancel: 'Abbrechen',
  resendHint: 'Die Unterhaltung ab hier bleibt als eigene Version mit ihren Dateien erhalten.',
  versions: 'Versionen dieser Nachricht',
  version: (n: number, of: number) => `${n} von ${of}`,
  versionSpoken: (n: number, of: number) => `Version ${n} von ${of}`,
  previous: 'Vorherige Version',
  next: 'Nächste Version',
  readOnly: 'Diese Sitzung kann hier nicht geändert werden.',

  title: 'Diesen Stand wiederherstellen',
  about: 'Stellt den Stand unmittelbar vor dem Senden dieser Nachricht wieder her.',
  titleMove: 'Einige Ihrer Änderungen stehen im Weg',
  aboutMove: 'Der Wechsel würde Dateien ändern, die zuletzt nicht von dieser Unterhaltung geändert wurden.',
  what: 'Was wiederhergestellt wird',
  both: 'Unterhaltung und Dateien',
  conversation: 'Nur die Unterhaltung',
  files: 'Nur die Dateien',
  filesUnknown: 'Die Dateien bleiben, wie sie sind: Für diesen Zeitpunkt ist kein Snapshot gespeichert.',
  leave: (n: number) =>
    plural(n, {
      one: 'Ihre Nachricht und die Antwort darauf werden aus der Unterhaltung entfernt.',
      other: `${formatNumber(n)} Ihrer Nachrichten und die Antworten darauf werden aus der Unterhaltung entfernt.`,
    }),
  kept: 'Das lässt sich rückgängig machen. Nach Ihrer nächsten Nachricht bleiben sie als eigene Version erhalten.',
  filesChange: (n: number) =>
    n === 0
      ? 'Keine Datei wird geändert.'
      : `${files(n)} ${plural(n, { one: 'wird', other: 'werden' })} geändert:`,
  list: 'Dateien, die geändert werden',
  listStays: 'Dateien, die bleiben, wie sie sind',
  listBoth: 'Dateien, die geändert werden, und Dateien, die bleiben, wie sie sind',
  renamed: (from: string, to: string) => `${from} → ${to}`,
  foreign: 'Zuletzt nicht von dieser Unterhaltung geändert.',
  stays: 'Bleibt, wie sie ist.',
  overwrite: 'Überschreiben',
  overwriteAll: (n: number) =>
    `Alle ${files(n)} überschreiben, die zuletzt nicht von dieser Unterhaltung geändert wurden`,
  ignored: 'Ignorierte Dateien wie node_modules sind nicht in Snapshots. Sie bleiben, wie sie sind.',
  run: 'Wiederherstellen',
  runAndSend: 'Wiederherstellen und senden',
  running: 'Wird wiederhergestellt …',
  letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' },
  kinds: {
    added: 'wird zurückgeholt',
    removed: 'wird entfernt',
    renamed: 'wird umbenannt',
    changed: 'wird geändert',
  },
  wouldBe: {
    added: 'würde zurückgeholt',
    removed: 'würde entfernt',
    renamed: 'würde umbenannt',
    changed: 'würde geändert',
  },

  restored: 'Wiederhergestellt.',
  nothingToUndo: 'Es gibt keine Nachricht zum Rückgängigmachen.',
  undone: (n: number) =>
    n === 0 ? 'Nachricht rückgängig gemacht.' : `Nachricht rückgängig gemacht und ${files(n)} zurückgesetzt.`,
  undoneAlone:
    'Nachricht rückgängig gemacht. Die Dateien bleiben, wie sie sind: Für diesen Zeitpunkt ist kein Snapshot gespeichert.',
  undoneBar: (n: number) =>
    n === 0
      ? 'Dateien sind zurückgesetzt. Ihre nächste Nachricht setzt hier an.'
      : plural(n, {
          one: '1 Nachricht ist rückgängig gemacht. Ihre nächste Nachricht setzt hier an.',
          other: `${formatNumber(n)} Nachrichten sind rückgängig gemacht. Ihre nächste Nachricht setzt hier an.`,
        }),
  redo: 'Wiederherstellen',
  restoring: 'Wird wiederhergestellt …',
} satisfies ConversationTexts['restore'];

export const conversation = {
  verbs,
  conversation: conversationTexts,
  restore: restoreTexts,

  codeBlock: {
    save: 'Als Datei speichern',
    path: 'Pfad der Datei',
    write: 'Speichern',
    exists: (path: string) => `${path} ist schon vorhanden. Ersetzen?`,
    replace: 'Ersetzen',
    isFolder: (path: string) => `${path} ist ein Ordner. Wählen Sie einen anderen Pfad.`,
    badPath: 'Dieser Pfad ist nicht möglich. Geben Sie einen Pfad innerhalb des Arbeitsbereichs an.',
    saved: (path: string) => `Als ${path} gespeichert.`,

    run: 'Im Terminal ausführen',
    ask: 'Dies in Ihrem Terminal ausführen?',
    command: 'Auszuführender Befehl',
    start: 'Ausführen',
    busy: 'In Ihrem Terminal läuft noch etwas. Stoppen Sie es dort oder warten Sie, bis es fertig ist.',

    cancel: 'Abbrechen',
  },

  attach: {
    attach: 'Anhängen',
    choose: 'Dateien wählen …',
    paste: 'Aus der Zwischenablage einfügen',
    open: (name: string) => `${name} groß anzeigen`,
    unknownPictures: (model: string) => `Vitrine weiß nicht, ob ${model} Bilder sehen kann.`,
    held: 'Noch nicht gesendet. Wählen Sie, wie es weitergeht.',
    needsWords:
      'Ohne Bilder ist die Nachricht leer. Schreiben Sie etwas, dann lässt sie sich ohne sie senden.',
    otherModel: 'Anderes Modell wählen',
    sendAnyway: 'Trotzdem senden',
    sendWithoutPictures: 'Ohne Bilder senden',
    sent: 'Dateien dieser Nachricht',
    clipboardEmpty: 'In der Zwischenablage ist kein Bild.',
    clipboardRefused:
      'Der Browser lässt diese Seite die Zwischenablage nicht lesen. Drücken Sie stattdessen Ctrl+V im Nachrichtenfeld.',
    list: 'Angehängte Dateien',
    remove: (name: string) => `${name} aus der Nachricht entfernen`,
    removed: (name: string) => `${name} ist nicht mehr angehängt.`,
    stays: 'Die Datei bleibt im Arbeitsbereich und geht mit, wenn die Sitzung geteilt wird.',
    deleteFile: 'Datei löschen',
    noPictures: (model: string) =>
      `${model} kann keine Bilder sehen und erhält stattdessen einen Hinweis. Wählen Sie ein anderes Modell, oder beschreiben Sie, was sie zeigen.`,
    noPDFs: (model: string) =>
      `${model} kann keine PDFs erhalten und bekommt stattdessen einen Hinweis. Wählen Sie ein anderes Modell, oder hängen Sie den Text an.`,
  },
  history: {
    recalled: (text: string) => `Frühere Nachricht: ${text}`,
    empty: 'Das Nachrichtenfeld ist wieder leer.',
  },

  modelMenu: {
    models: 'Modelle',
    ofSettings: 'In den Einstellungen gewählt',
    noKey: ': kein Schlüssel in den Einstellungen',
  },

  mention: {
    files: 'Dateien zum Anhängen',
    found: (count: number) =>
      count === 0
        ? 'Keine solche Datei'
        : `${files(count)}: Pfeil nach oben und unten wählt aus, Enter hängt an, Esc schließt`,
  },

  queue: {
    list: 'Nachrichten in der Warteschlange',
    hint: (n: number) =>
      plural(n, {
        one: '1 Nachricht wird nach diesem Schritt gesendet',
        other: `${formatNumber(n)} Nachrichten werden nach diesem Schritt gesendet`,
      }),
    waits: (n: number) =>
      plural(n, {
        one: '1 Nachricht wartet darauf, dass Sie sie senden',
        other: `${formatNumber(n)} Nachrichten warten darauf, dass Sie sie senden`,
      }),
    sendNow: 'Jetzt senden',
    sendNowHint: 'Laufendes stoppen und diese Nachricht sofort senden',
    edit: 'Bearbeiten',
    editing: 'Nachricht in der Warteschlange bearbeiten',
    keep: 'Übernehmen',
    cancel: 'Abbrechen',
    up: 'Nach oben',
    down: 'Nach unten',
    remove: 'Entfernen',
  },

  pullRequest: {
    create: 'Pull Request erstellen',
    from: (branch: string, repository: string) => `Von ${branch} in ${repository}.`,
    title: 'Titel des Pull Requests',
    body: 'Beschreibung',
    base: 'In den Branch',
    baseHint: 'Leer für den Standard-Branch',
    draft: 'Als Entwurf',
    send: 'Erstellen',
    cancel: 'Abbrechen',
    asking: 'GitHub wird gefragt',
    noTitle: 'Schreiben Sie zuerst einen Titel.',
    made: 'Pull Request',
  },

  summary: {
    title: 'Zusammenfassung',
    of: (session: string) =>
      `„${session}“: was gewünscht, getan und geändert wurde, geschrieben vom Modell der Sitzung.`,
    writing: 'Wird geschrieben',
    stop: 'Schreiben stoppen',
    stopped: 'Vorzeitig gestoppt.',
    again: 'Neu schreiben',
    copy: 'Als Markdown kopieren',
    failed: 'Es wurde keine Zusammenfassung geschrieben.',
  },

  task: {
    open: 'Sitzung öffnen',
    openOf: (title: string) => `Sitzung öffnen: ${title}`,
    steps: (n: number) => plural(n, { one: '1 Schritt', other: `${formatNumber(n)} Schritte` }),
    calls: (n: number) => plural(n, { one: '1 Aufruf', other: `${formatNumber(n)} Aufrufe` }),
    tokens: (input: string, output: string) => `${input} Eingabe, ${output} Ausgabe`,
    stop: 'Auftrag stoppen',
    states: {
      running: 'läuft im Hintergrund',
      completed: 'fertig',
      error: 'fehlgeschlagen',
      cancelled: 'gestoppt',
      interrupted: 'unterbrochen',
    } satisfies Record<TaskReportState, string>,
    recent: 'Letzte Aktivität',
    ended: (title: string) => `Auftrag im Hintergrund beendet: ${title}`,
    told: 'Was der Agent sieht',
    switched: (agent: string) => `Weiter mit dem Agenten ${agent}`,
    given: 'Erteilter Auftrag',
    app: 'Von der App',
    child: 'Hier arbeitet ein Subagent',
    childPaused: 'Hier ist ein Subagent pausiert',
    childEnded: 'Hier hat ein Subagent gearbeitet',
    childInterrupted: 'Hier hat ein Subagent gearbeitet und wurde unterbrochen',
    back: (title: string) => `Zurück zu ${title}`,
    parent: 'der auftraggebenden Sitzung',
  },

  fault,

  todo: {
    tasks: 'Aufgaben',
    done: (done: number, of: number) => `${done} von ${of} erledigt`,
    high: 'wichtig',
    statuses: {
      pending: 'offen',
      in_progress: 'in Arbeit',
      completed: 'erledigt',
      cancelled: 'abgebrochen',
    },
  },
} satisfies ConversationTexts;
