import type { JobEndCause } from '../../../workspace/jobs.ts';
import type { ChangeKind } from '../../../workspace/changes/compare.ts';
import type { WorkbenchTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { existed, exit, files, leaveOutIgnored, outcomes } from './shared.ts';
import { codeServices, editor, find, folder, format, search } from './workbench-files.ts';

function endedBy(by: JobEndCause, exitCode: number): string {
  switch (by) {
    case 'person':
      return 'von Ihnen gestoppt';
    case 'command':
      return 'durch einen Befehl beendet';
    case 'limit':
      return 'beendet, weil zu viele liefen';
    case 'lost':
      return 'durch Neuladen oder Neustart verloren';
    case 'copied':
      return 'nicht mitgenommen: Dies ist eine Kopie der Sitzung, die ohne den Job beginnt';
    case 'itself':
      return exitCode === 0 ? 'fertig' : `mit Code ${exitCode} beendet`;
  }
}

export const workbench = {
  codeServices,
  editor,
  format,
  folder,
  search,
  find,

  changes: {
    changes: 'Änderungen',
    since: 'Geändert seit',
    turn: 'Beginn der letzten Runde',
    first: 'der ersten Nachricht',
    opening: 'dem Öffnen der Dateien',
    beforeMessage: (text: string) => `vor „${text}“`,
    messages: 'Ihre Nachrichten',
    leftOut: 'Ignorierte Dateien wie node_modules sind ausgelassen.',
    commentOn: (path: string, line: number) => `Kommentar zu ${path}, Zeile ${line}`,
    addComment: 'Zur Nachricht hinzufügen',
    commentAdded: 'Ihr Kommentar steht im Nachrichtenfeld.',
    cancel: 'Abbrechen',
    list: 'Geänderte Dateien',
    summary: (count: number) => `${files(count)} geändert`,
    lines: (added: number, removed: number) => `+${added} −${removed}`,
    linesSpoken: (added: number, removed: number) =>
      `${plural(added, { one: '1 Zeile', other: `${formatNumber(added)} Zeilen` })} hinzugefügt, ${formatNumber(removed)} entfernt`,
    letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' } satisfies Record<ChangeKind, string>,
    kinds: {
      added: 'hinzugefügt',
      removed: 'gelöscht',
      renamed: 'umbenannt',
      changed: 'geändert',
    } satisfies Record<ChangeKind, string>,
    renamed: (from: string, to: string) => `${from} → ${to}`,
    comparing: 'Dateien werden verglichen',
    none: 'Nichts wurde geändert.',
    noSnapshot:
      'Hier sind zu viele Dateien, um eine Kopie bereitzuhalten. Änderungen werden daher ab Ihrer ersten Nachricht angezeigt. Bis dahin zeigt sie in einem Repository `git diff` im Terminal.',
    failed: (why: string) => `Die Änderungen können nicht angezeigt werden: ${why}`,
    contentGone: 'Eine Datei von diesem Zeitpunkt ist nicht mehr gespeichert.',

    keep: 'Behalten',
    keepHunk: (number: number) => `Änderung ${number} behalten`,
    keptHunk: 'Sie behalten diese Änderung.',
    keepFile: (path: string) => `${path} behalten`,
    keptFiles: (count: number) =>
      plural(count, {
        one: 'Sie behalten die Änderungen an 1 Datei.',
        other: `Sie behalten die Änderungen an ${formatNumber(count)} Dateien.`,
      }),
    showKept: 'Anzeigen',
    hideKept: 'Ausblenden',
    putBack: 'Zurücksetzen',
    putBackFile: (path: string) => `${path} zurücksetzen`,
    putBackHunk: (number: number) => `Änderung ${number} zurücksetzen`,
    didPutBack: (path: string) => `${path} ist wieder wie vorher.`,
    didPutBackHunk: (path: string) => `Eine Änderung an ${path} wurde zurückgesetzt.`,
    beside: 'Nebeneinander',
    download: 'Alle Änderungen als Patch herunterladen',
    patchName: 'changes.patch',

    notText: (before: string, after: string) =>
      `Diese Datei ist kein Text. Vorher: ${before}. Jetzt: ${after}.`,
    absent: 'keine Datei',
    tooLarge: 'Diese Datei ist zu groß, um ihre Änderungen anzuzeigen.',
    tooDifferent: 'Die beiden Versionen dieser Datei sind zu verschieden, um sie zu vergleichen.',
    empty: 'Diese Datei ist leer.',
    modeOnly: 'Nur das Recht, die Datei auszuführen, hat sich geändert.',
    renamedOnly: 'Der Inhalt ist gleich.',
    link: (target: string) => `ein Link auf ${target}`,
  },

  job: {
    heading: 'Hintergrundjobs',
    count: (running: number, ended: number) =>
      [running > 0 && `${running} aktiv`, ended > 0 && `${ended} beendet`].filter(Boolean).join(', '),
    chip: (n: number) => plural(n, { one: '1 Hintergrundjob', other: `${formatNumber(n)} Hintergrundjobs` }),
    show: 'Im Tab „Terminal“ anzeigen',
    running: (time: string) => `läuft seit ${time}`,
    ended: (by: JobEndCause, exitCode: number, time: string) => `${endedBy(by, exitCode)}, Laufzeit ${time}`,
    ports: (ports: readonly number[]) =>
      plural(ports.length, { one: `Port ${ports.join(', ')}`, other: `Ports ${ports.join(', ')}` }),
    quiet: 'Noch keine Ausgabe',
    stop: 'Stoppen',
    stopOf: (command: string) => `${command} stoppen`,
    log: 'Ausgabe anzeigen',
    hideLog: 'Ausgabe ausblenden',
    logOf: (command: string) => `Ausgabe von ${command}`,
    emptyLog: 'Es wurde nichts ausgegeben.',
    told: (command: string, by: JobEndCause, exitCode: number) =>
      `Hintergrundjob ${endedBy(by, exitCode)}: ${command}`,
  },

  log: {
    filter: 'Protokoll filtern',
    filterHint: 'Tool, Ergebnis oder Text',
    exportLog: 'Als JSON exportieren',
    file: 'vitrine-log.json',
    clear: 'Leeren',
    metrics: (calls: number | null) =>
      calls === null ? 'Nach Tool' : `Nach Tool, aus den neuesten ${formatNumber(calls)} Aufrufen`,
    records: 'Aufrufe',
    columns: {
      tool: 'Tool',
      count: 'Aufrufe',
      average: 'Mittel',
      p95: 'p95',
      errors: 'Fehler',
      timeouts: 'Timeouts',
      denials: 'Abgelehnt',
      startup: 'Start',
    },
    startHint: 'Seit diese Seite geöffnet wurde: der erste Start einschließlich Laden, dann der letzte Start',
    noSession: 'Öffnen oder starten Sie eine Sitzung, um ihre Aufrufe zu sehen.',
    empty: 'In dieser Sitzung wurde noch nichts aufgerufen.',
    cleared: 'Seit dem Leeren der Liste wurde nichts aufgerufen.',
    none: 'Nichts entspricht diesem Filter.',
    older: 'Ältere Aufrufe anzeigen',
    loading: 'Protokoll wird gelesen',
    failed: (why: string) => `Das Protokoll konnte nicht gelesen werden: ${why}`,
    made: 'geladen',
    outcomes,
    exit,
    timedOut: 'Zeitüberschreitung',
    preview: 'In der Vorschau',
    previewPage: (path: string) => `Seite: ${path}`,
    previewCount: (messages: number, problems: number) => {
      if (messages === 0) return 'In der Vorschau';
      const said = plural(messages, { one: '1 Meldung', other: `${formatNumber(messages)} Meldungen` });
      if (problems === 0) return `In der Vorschau: ${said}`;
      return `In der Vorschau: ${said}, ${plural(problems, { one: '1 Problem', other: `${formatNumber(problems)} Probleme` })}`;
    },
    previewLeftOut: (messages: number) =>
      plural(messages, {
        one: '1 weitere fehlt im Protokoll.',
        other: `${formatNumber(messages)} weitere fehlen im Protokoll.`,
      }),
    args: 'Argumente',
    result: 'Ergebnis',
  },

  preview: {
    server: 'Server',
    serverName: (port: number) => `Port ${port}`,
    reload: 'Neu laden',
    frame: (port: number) => `Was der Server auf Port ${port} anzeigt`,
    none: 'In diesem Arbeitsbereich läuft kein Server.',
    noneHint:
      'Starten Sie einen im Terminal oder bitten Sie den Agenten darum: Was auf einem Port lauscht, wird hier angezeigt.',
    refused: (url: string) => `${url} kann hier nicht angezeigt werden.`,
    serverStarted: (port: number) => `Ein Server lauscht auf Port ${port}.`,
    showServer: 'Anzeigen',
    toolbar: 'Vorschau',
    back: 'Zurück',
    openTab: 'In eigenem Tab öffnen',
    closeTab: 'Wieder hier anzeigen',
    inTab: 'Die Seite wird in einem eigenen Tab angezeigt. Auch der Agent sieht und bedient sie dort.',
    tabRefused:
      'Der Browser hat keinen Tab geöffnet. Erlauben Sie Pop-ups für diese Website und versuchen Sie es noch einmal.',
    source: 'Was angezeigt wird',
    sourceNone: 'Auswählen',
    servers: 'Server',
    folders: 'Ordner als statische Seiten',
    folder: (path: string) => (path === '' ? 'Ganzer Arbeitsbereich' : path),
    serverOver: (port: number) => `Port ${port} (beendet)`,
    address: 'Adresse',
    otherHost: (host: string) =>
      `Hier lassen sich nur Server dieses Arbeitsbereichs anzeigen, unter localhost und ihrem Port. ${host} gehört nicht dazu.`,
    width: 'Breite',
    widths: { full: 'Volle Breite', phone: 'Smartphone, 390', tablet: 'Tablet, 820' },
    widthOf: (width: number) => `${width} breit`,
    page: 'Seite in der Vorschau',
    nothing: 'Noch nichts anzuzeigen.',
    nothingHint:
      'Starten Sie im Terminal einen Server, etwa mit node server.js, oder bitten Sie den Agenten darum: Seine Seite erscheint hier von selbst. Ein Ordner mit einer index.html braucht keinen Server.',
    showFolder: (path: string) =>
      path === '' ? 'index.html des Arbeitsbereichs anzeigen' : `${path}/index.html anzeigen`,
    starting: 'Vorschau wird gestartet',
    slow: 'Die Adresse für Vorschauen antwortet, aber der Browser braucht lange, um ihren Service Worker zu starten.',
    tryAgain: 'Erneut versuchen',
    ended: (port: number) => `Der Server auf Port ${port} ist beendet.`,
    endedHint: 'Darunter steht, was von seiner Seite geblieben ist. Startet der Server wieder, lädt sie neu.',
    opaque: 'Diese Website hat keine eigene Adresse für Vorschauen, deshalb wird die Seite umgeschrieben.',
    refusedOrigin:
      'Die Seite wird umgeschrieben, weil der Browser die Vorschau nicht auf einer eigenen Adresse starten ließ. Das ist in privaten Fenstern so und dort, wo er Drittanbieter-Cookies blockiert: Erlauben Sie sie für diese Website und laden Sie neu.',
    rewritten: 'Service Worker, Worker, Frames und dauerhafter Speicher funktionieren darin nicht.',
    failed: 'Die Vorschau kann nicht angezeigt werden.',
    failedHint: '„Neu laden“ versucht es noch einmal.',
    more: 'Mehr',
    drawer: 'Konsole',
    problems: (count: number) =>
      plural(count, { one: '1 Problem', other: `${formatNumber(count)} Probleme` }),
    entries: 'Meldungen der Seite',
    everything: 'Alles',
    onlyProblems: 'Probleme',
    filter: 'Angezeigte Meldungen',
    clear: 'Leeren',
    noEntries: 'Bisher nichts.',
    send: 'An den Agenten senden',
    sent: 'Zu Ihrer Nachricht hinzugefügt.',
    message: (path: string, text: string) => `In der Vorschau meldet ${path}:\n\n${text}`,
    pick: 'Element auswählen',
    picking:
      'Klicken Sie auf ein Element der Seite. Mit der Tastatur führen die Pfeiltasten von Element zu Element, und Enter wählt aus. Esc beendet.',
    picked: 'Ausgewähltes Element',
    element: (path: string, text: string) => `In der Vorschau ein Element von ${path}:\n\n${text}`,
  },

  bench: {
    terminal: 'Terminal',
    terminalFailed: 'Das Terminal konnte nicht geladen werden. Prüfen Sie die Verbindung.',
    terminalHint: 'Tab vervollständigt. Esc, dann Tab verlässt das Terminal.',
    touchKeys: 'Tasten',
    touchKey: {
      escape: 'Esc',
      tab: 'Tab',
      ctrl: 'Ctrl',
      interrupt: 'Ctrl+C',
      endOfInput: 'Ctrl+D',
      left: 'Pfeil nach links',
      up: 'Pfeil nach oben',
      down: 'Pfeil nach unten',
      right: 'Pfeil nach rechts',
    },
    tryAgain: 'Erneut versuchen',

    files: 'Dateien',
    tree: 'Dateien des Arbeitsbereichs',
    toolbar: 'Dateiaktionen',
    searchFiles: 'In Dateien suchen',
    newFile: 'Neue Datei',
    addFiles: 'Dateien hinzufügen',
    addFolder: 'Ordner hinzufügen',
    downloadAll: 'Alles als ZIP herunterladen',
    downloadFolder: 'Ordner als ZIP herunterladen',
    download: 'Herunterladen',
    copyPath: 'Pfad kopieren',
    copied: 'Pfad kopiert.',
    move: 'Verschieben',
    rename: 'Umbenennen',
    delete: 'Löschen',
    close: 'Datei schließen',
    undo: 'Rückgängig',
    dismiss: 'Schließen',
    cancel: 'Abbrechen',
    save: 'OK',
    newFileLabel: (folder: string) => `Neue Datei in ${folder}`,
    newFileHint: 'Ein Name oder ein Pfad. Mit / am Ende entsteht ein Ordner.',
    renameLabel: (name: string) => `Neuer Name für ${name}`,
    drop: 'Legen Sie Dateien oder Ordner hier ab, um sie zum Arbeitsbereich hinzuzufügen.',
    dropInto: (folder: string) => `Ablegen, um zu ${folder} hinzuzufügen`,
    empty: 'Noch keine Dateien. Legen Sie hier welche ab oder bitten Sie den Agenten, eine zu schreiben.',
    unlisted: (why: string) => `Dieser Ordner kann nicht angezeigt werden: ${why}`,
    changedByAgent: 'Vom Agenten geändert',
    changed: 'Geändert',
    folder: 'Ordner',
    link: 'Link',
    ignored: 'Ignoriert',
    marks: {
      added: 'Neu seit Beginn der letzten Runde',
      changed: 'Geändert seit Beginn der letzten Runde',
      renamed: 'Umbenannt seit Beginn der letzten Runde',
    },

    nameEmpty: 'Geben Sie einen Namen ein.',
    nameTaken: (name: string) => `${name} ist schon vorhanden. Wählen Sie einen anderen Namen.`,
    pathTaken: (path: string) => `${path} ist schon vorhanden, daher wurde nichts verschoben.`,
    intoItself: (name: string) => `${name} kann nicht in sich selbst verschoben werden.`,
    nameUnusable: 'Dieser Name ist nicht möglich.',
    refused: (why: string) => `Das hat nicht geklappt: ${why}`,

    deleted: (name: string) => `${name} gelöscht.`,
    renamed: (name: string) => `In ${name} umbenannt.`,
    cut: (name: string) =>
      `${name} wird verschoben. Öffnen Sie einen Ordner, dann Ctrl+V oder „Hierher verschieben“. Esc bricht ab.`,
    moveHere: 'Hierher verschieben',
    moveToTop: (root: string) => `Nach ${root} verschieben`,
    moved: (name: string, folder: string) => `${name} nach ${folder} verschoben.`,
    restored: (name: string) => `${name} ist wieder da.`,
    deleteForGood: (name: string) =>
      `${name} endgültig löschen? Zu groß oder mit Links darin, daher nicht wiederherstellbar.`,

    adding: (done: number, total: number) => `Hinzufügen: ${formatNumber(done)} von ${files(total)}`,
    added: (n: number, place: string) => `${files(n)} zu ${place} hinzugefügt.`,
    openedTop: (name: string) => `Alles lag im Ordner ${name}, der selbst nicht hinzugefügt wurde.`,
    nothingToAdd: 'Darin wurden keine Dateien gefunden. Legen Sie Dateien oder Ordner ab.',
    zipFound: (name: string) => `${name} ist ein ZIP-Archiv. Hier entpacken?`,
    unpack: 'Entpacken',
    unpacking: 'Wird entpackt',
    addAsFile: 'ZIP selbst hinzufügen',
    kept: existed,
    replace: 'Ersetzen',
    leaveOutIgnored,
    refusedFiles: (n: number) =>
      plural(n, {
        one: '1 Datei wurde ausgelassen.',
        other: `${formatNumber(n)} Dateien wurden ausgelassen.`,
      }),
    stop: 'Hinzufügen stoppen',
    packing: (n: number) => `Packen: ${files(n)}`,
    zipped: (n: number) => `${files(n)} gepackt.`,
    skipped: (n: number) =>
      plural(n, {
        one: '1 Eintrag wurde ausgelassen.',
        other: `${formatNumber(n)} Einträge wurden ausgelassen.`,
      }),

    viewer: (path: string) => `Datei ${path}`,
    loading: 'Wird geladen',
    binary: (size: string) => `Diese Datei ist kein Text (${size}).`,
    large: (size: string) => `Diese Datei ist groß (${size}). Das Anzeigen kann langsam sein.`,
    showAnyway: 'Trotzdem anzeigen',
    gone: 'Diese Datei wurde gelöscht.',
    unreadable: (why: string) => `Diese Datei kann nicht angezeigt werden: ${why}`,
  },
} satisfies WorkbenchTexts;
