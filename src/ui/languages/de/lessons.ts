import type { Check } from '../../../lessons/checks.ts';
import type { LessonTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { files, modeNames } from './shared.ts';

const replies: Readonly<Record<string, string>> = {
  once: 'einmal zugelassen',
  session: 'für diese Sitzung zugelassen',
  always: 'immer zugelassen',
  everywhere: 'überall zugelassen',
  reject: 'abgelehnt',
  feedback: 'mit Begründung abgelehnt',
};

const ends: Readonly<Record<string, string>> = {
  ok: 'war erfolgreich',
  failed: 'ist fehlgeschlagen',
  denied: 'wurde abgelehnt',
  cancelled: 'wurde abgebrochen',
  interrupted: 'wurde unterbrochen',
  invalid: 'entsprach nicht dem Schema',
};

const turns: Readonly<Record<string, string>> = {
  idle: 'Die Runde ist beendet',
  error: 'Die Runde ist fehlgeschlagen',
  aborted: 'Sie haben die Runde gestoppt',
  rejected: 'Eine Ablehnung hat die Runde beendet',
  interrupted: 'Die Runde wurde unterbrochen',
};

/** How the work of a sub-agent ended, by the state in the log. */
const tasks: Readonly<Record<string, string>> = {
  completed: 'fertig',
  error: 'fehlgeschlagen',
  cancelled: 'gestoppt',
  interrupted: 'unterbrochen',
};

const restores = {
  undo: 'Sie sind zu einem früheren Zeitpunkt zurückgegangen',
  redo: 'Sie haben rückgängig Gemachtes wiederhergestellt',
  branch: 'Sie sind zu einer anderen Version der Unterhaltung gewechselt',
} as const;

function sentenceOf(check: Check): string {
  switch (check.kind) {
    case 'prompt':
      return check.prompt === '*'
        ? 'Sie haben eine Nachricht gesendet'
        : `Sie haben eine Nachricht wie ${quoted(check.prompt)} gesendet`;
    case 'call': {
      const what = `${check.call}${check.with ? ` mit ${quoted(check.with)}` : ''}`;
      const end = check.outcome ? ends[check.outcome] : 'wurde beendet';
      return `${what} ${end}${(check.times ?? 1) > 1 ? `, ${check.times}-mal` : ''}`;
    }
    case 'asked':
      return `Sie werden um die Berechtigung ${check.asked} gebeten`;
    case 'permission':
      return `Sie haben die Anfrage für ${check.permission} beantwortet${
        check.reply
          ? `: ${[check.reply]
              .flat()
              .map((reply) => replies[reply])
              .join(' oder ')}`
          : ''
      }`;
    case 'decided':
      return `Eine Regel hat ${check.decided} ohne Nachfrage ${check.action === 'allow' ? 'zugelassen' : 'abgelehnt'}`;
    case 'question':
      return check.question === 'answered'
        ? 'Sie haben die Frage beantwortet'
        : 'Sie haben die Frage verworfen';
    case 'turn':
      return turns[check.turn] ?? '';
    case 'steps':
      return `Das Modell wurde ${check.steps === 1 ? 'einmal' : `${check.steps}-mal`} aufgerufen`;
    case 'says':
      return `Das Modell hat ${quoted(check.says)} gesagt`;
    case 'mode':
      return `Sie haben den Modus „${modeNames[check.mode]}“ gewählt`;
    case 'task':
      return `Der Auftrag ${check.agent ? `von ${check.agent}` : 'eines Subagenten'} ist beendet: ${tasks[check.task] ?? check.task}`;
    case 'compacted':
      return 'Die Unterhaltung wurde zusammengefasst';
    case 'restored':
      return restores[check.restored];
    case 'file':
      return check.gone ? `${check.file} ist nicht mehr da` : `${check.file} ist so, wie es sein soll`;
    case 'ask':
      return check.ask;
  }
}

function quoted(pattern: string): string {
  return `„${pattern.replace(/^\*|\*$/g, '')}“`;
}

const stepCount = (count: number) =>
  plural(count, { one: '1 Schritt', other: `${formatNumber(count)} Schritte` });

export const lessons = {
  lesson: {
    sentence: sentenceOf,
    title: 'Lektionen',
    about:
      'Jede Lektion hat einen eigenen Arbeitsbereich und eine eigene Sitzung. Das Modell folgt einem Skript; die Tools laufen wirklich.',
    unknownMessage:
      'Ich bin das Modell dieser Lektion und folge einem Skript: Ich kann nur auf die Nachrichten dieser Lektion antworten. Wählen Sie in der Lektion nebenan *Diese Nachricht verwenden* und senden Sie die Nachricht, wie sie ist, oder wählen Sie dort *Neu beginnen*. Für ein freies Gespräch öffnen Sie eine neue Sitzung mit Ihrem eigenen Modell.',
    workspace: (title: string) => `Lektion: ${title}`,
    loading: 'Wird geladen',
    close: 'Lektionen schließen',
    back: 'Alle Lektionen',
    minutes: (n: number) => `${n} min`,
    steps: (done: number, of: number) =>
      `${done} von ${of} ${plural(of, { one: 'Schritt', other: 'Schritten' })}`,
    finished: 'Erledigt',
    notBegun: 'Nicht begonnen',
    bundled: 'Lektionen der App',
    own: 'Ihre Lektionen',
    write: 'Lektion schreiben',
    openFile: 'Lektionsdatei öffnen',
    lessonFile: 'Lektionsdatei',
    edit: 'Bearbeiten',
    copy: 'Kopie zum Bearbeiten erstellen',
    remove: 'Löschen',
    removed: (title: string) => `„${title}“ gelöscht.`,
    actions: (title: string) => `Aktionen für ${title}`,
    tryAgain: 'Erneut versuchen',

    stepList: 'Schritte',
    stepOf: (n: number, of: number) => `Schritt ${n} von ${of}`,
    done: 'Erledigt',
    later: 'Später',
    message: 'Zu sendende Nachricht',
    take: 'Diese Nachricht verwenden',
    checks: 'Zu erledigen',
    met: 'erledigt:',
    open: 'offen:',
    hint: 'Tipp anzeigen',
    nextHint: 'Weiteren Tipp anzeigen',
    hints: 'Tipps',
    answer: 'Ihre Antwort',
    check: 'Prüfen',
    wrong: 'Nicht ganz. Sehen Sie noch einmal nach.',
    wrongWithHints: 'Nicht ganz. Sehen Sie noch einmal nach oder lassen Sie sich einen Tipp geben.',
    goOn: 'Nächster Schritt',
    stepDone: (n, of) => `Schritt ${n} von ${of} ist erledigt.`,
    unfinished: 'In diesem Schritt ist noch nicht alles erledigt.',
    asks: 'Die Lektion hat eine Frage an Sie.',
    toLesson: 'Zurück zur Lektion',
    aboutRequest: 'Die Lektion erklärt diese Anfrage.',
    toChat: 'Zum Chat',
    pressSend: 'Die Nachricht der Lektion steht im Feld. Drücken Sie „Senden“.',
    stalled:
      'Die Runde ist beendet, aber hier ist noch nicht alles erledigt. Senden Sie die Nachricht noch einmal oder wählen Sie unten „Neu beginnen“.',
    ruled:
      'Eine Regel hat das zugelassen, deshalb wurden Sie nicht gefragt. Um gefragt zu werden, entfernen Sie die Regel in den Einstellungen unter „Berechtigungen“ und wählen Sie unten „Neu beginnen“. Oder gehen Sie ohne das weiter.',
    ruledByMode: (mode) =>
      `Der Modus ist „${modeNames[mode]}“, deshalb wurden Sie nicht gefragt. Um gefragt zu werden, wählen Sie unten „Neu beginnen“; das setzt ihn zurück. Oder gehen Sie ohne das weiter.`,
    restart: 'Neu beginnen',
    restartHint:
      'Legt Arbeitsbereich und Sitzung neu an; die alten werden entfernt, ebenso was Sie in dieser Lektion überall zugelassen haben.',
    toSession: 'Zurück zur Sitzung dieser Lektion',
    elsewhere: 'Sie sehen gerade eine andere Sitzung.',
    small: {
      looking: 'Ein kleines Modell in diesem Browser wird gesucht …',
      none: 'In diesem Browser ist kein kleines Modell.',
      found: (n: number) =>
        n === 1 ? 'In diesem Browser ist ein kleines Modell.' : `In diesem Browser sind ${n} kleine Modelle.`,
      ofBrowser: 'Das Modell dieses Browsers',
      use: (name: string) => `Antworten lassen: ${name}`,
      answers: (name: string) => `Auf Ihre Nachrichten antwortet jetzt dieses Modell: ${name}`,
      back: 'Zurück zum Skript',
      watch: 'Eine Aufzeichnung ansehen',
      settings: 'In den Einstellungen eines holen',
    },
    complete: 'Lektion abgeschlossen.',
    next: (title: string) => `Weiter: ${title}`,
    allDone:
      'Das war die letzte. Lassen Sie jetzt einen Agenten mit Ihrem eigenen Modell etwas für Sie erledigen.',
    announce: (n: number, of: number, title: string) =>
      `Schritt ${n - 1} erledigt. Schritt ${n} von ${of}: ${title}`,
    announceEnd: 'Alle Schritte sind erledigt.',

    sharedTitle: 'Eine Lektion aus einem Link',
    sharedText:
      'Jemand hat diese Lektion erstellt und Ihnen geschickt. Nichts darin wird ausgeführt, bevor Sie eine Nachricht senden. Tools fragen weiterhin nach Ihrer Zustimmung.',
    sharedFiles: files,
    start: 'Lektion starten',
    dismiss: 'Nein, danke',

    editor: 'Lektion schreiben',
    editorHint: 'Schreiben Sie links die Lektion und rechts das Skript ihres Modells.',
    reference: 'So schreibt man Lektionen',
    markdown: 'Lektion (Markdown)',
    script: 'Skript (JSON)',
    valid: (steps: number) => `Gültig: ${stepCount(steps)}.`,
    problems: 'Was nicht stimmt',
    doubts: 'Was einen zweiten Blick wert ist',
    save: 'Speichern',
    saved: 'Gespeichert.',
    unsaved: 'Nicht gespeichert, aber auf diesem Gerät aufbewahrt.',
    startOver: 'Änderungen verwerfen',
    bringBack: 'Wiederherstellen',
    inOtherTab:
      'Diese Lektion ist auch in einem anderen Tab geöffnet. Behalten wird der zuletzt eingegebene Text.',
    takeOther: 'Text des anderen Tabs übernehmen',
    other: 'Dies ist jetzt der Text des anderen Tabs. Ihren Text können Sie wiederherstellen.',
    tryIt: 'Speichern und ausprobieren',
    copyLink: 'Link kopieren',
    linkCopied: 'Link kopiert. Wer ihn öffnet, erhält eine Kopie der Lektion.',
    tooLongLink:
      'Diese Lektion ist zu lang für einen Link. Laden Sie sie herunter und verschicken Sie die Datei.',
    download: 'Herunterladen',
  },
} satisfies LessonTexts;
