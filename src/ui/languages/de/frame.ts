import type { Wanted } from '../../app.ts';
import type { WhyNone } from '../../../offline/state.ts';
import type { RowState } from '../../frame/sessions/row-state.ts';
import type { LayoutName, MainPane, SidePane } from '../../state/layout.svelte.ts';
import type { FrameTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { page } from './page.ts';
import { existed, files, leaveOutIgnored } from './shared.ts';

function aboutHosts({ hosts, token }: Wanted): { readonly title: string; readonly text: string } {
  if (token) return aboutToken(token);
  const names = hosts.join(' und ');
  const [from, to] = hosts.length > 1 ? ['diesen Hosts', 'sie'] : ['diesem Host', 'ihn'];
  return {
    title: hosts.includes('registry.npmjs.org')
      ? `Ein Programm möchte Pakete von ${names} abrufen.`
      : `Ein Programm möchte ${names} erreichen.`,
    text: `Danach können Programme in Ihren Arbeitsbereichen von ${from} alles anfordern und alles an ${to} senden, was sie lesen. Unter „Einstellungen“, „Tools und Server“ lässt sich das zurücknehmen.`,
  };
}

function aboutToken({ repository, access }: NonNullable<Wanted['token']>) {
  const isWriting = access === 'write';
  return {
    title: `git möchte Ihr GitHub-Token verwenden, um ${repository} zu ${isWriting ? 'ändern' : 'lesen'}.`,
    text: isWriting
      ? 'Programme in diesem Arbeitsbereich könnten dann Branches und Tags dorthin pushen und Pull Requests öffnen, bis diese Seite neu geladen wird. Das Token selbst sehen sie nicht.'
      : 'Programme in diesem Arbeitsbereich könnten dann dieses Repository lesen, bis diese Seite neu geladen wird. Das Token selbst sehen sie nicht.',
  };
}

export const frame = {
  page,

  container: {
    stuckTitle: 'Ein Prozess lässt sich nicht stoppen.',
    diedTitle: 'Der Container ist ausgefallen.',
    restartContainer: 'Container neu starten',
    useEmbedded: 'Eingebetteten Arbeitsbereich verwenden',
    tryAgain: 'Erneut versuchen',
    containerOffered: 'Ein WebContainer ist bereit.',
    containerOfferedText: 'Er enthält Node und npm. Was hier geändert wurde, bleibt hier.',
    containerUse: 'Mit Node arbeiten',
    settingsContainers: 'WebContainer',
    containersAllowed: 'WebContainer bei StackBlitz anfordern',
    containersHint:
      'Ein WebContainer ist Node und npm in diesem Tab. Die Laufzeitumgebung kommt von stackblitz.com, StackBlitz sieht also Ihren Besuch; Dateien bleiben im Tab. Neue Arbeitsbereiche versuchen es zuerst mit einem WebContainer. Ist dies ausgeschaltet, wird StackBlitz nie kontaktiert.',
    containersOffBySite:
      'Der Betreiber dieser Website hat WebContainer ausgeschaltet. StackBlitz wird nie kontaktiert.',
    containersKey: 'Website-Schlüssel für WebContainer',
    containersKeyHint:
      'Weist diese Website gegenüber StackBlitz aus. Produktive und kommerzielle Websites brauchen einen Schlüssel und eine Lizenz von StackBlitz. Gilt nach dem nächsten Neuladen.',
  },

  repository: {
    title: 'Repository öffnen',
    about:
      'Von GitHub, in einem eigenen neuen Arbeitsbereich. Nichts läuft, bevor Sie eine Nachricht senden.',
    field: 'Repository',
    fieldHint: 'besitzer/name oder die Adresse auf github.com',
    ref: 'Branch oder Tag',
    refHint: 'Leer für den Standard-Branch',
    invalid: 'Das Repository als besitzer/name angeben.',
    reach:
      'Der neueste Commit wird von api.github.com und raw.githubusercontent.com abgerufen. Programme in Ihren Arbeitsbereichen dürfen diese beiden Hosts danach erreichen; unter „Einstellungen“, „Tools und Server“ lässt sich das zurücknehmen.',
    token:
      'Private Repositorys und mehr als ein paar Aufrufe pro Stunde brauchen ein GitHub-Token unter „Einstellungen“, „Tools und Server“.',
    prompt: 'Diese Nachricht wartet danach im Nachrichtenfeld. Sie wird nicht von selbst gesendet.',
    promptFor: (agent: string) =>
      `Diese Nachricht an den Agenten ${agent} wartet danach im Nachrichtenfeld. Sie wird nicht von selbst gesendet.`,
    open: 'Öffnen',
    stop: 'Stoppen',
    begun: 'GitHub wird gefragt',
    progress: (percent: number) => `Dateien werden empfangen: ${percent} %`,
  },

  hostNotice: {
    about: aboutHosts,
    allow: 'Zulassen',
    deny: 'Ablehnen',
  },

  incoming: {
    hint: 'Bilder und PDFs ablegen, um sie anzuhängen, eine Aufzeichnung, um sie zu öffnen, andere Dateien, um sie zum Arbeitsbereich hinzuzufügen',
    hintBox: 'Ablegen, um an die Nachricht anzuhängen',
    hintRecording: 'Eine Aufzeichnung ablegen, um sie zu öffnen',
    attached: (paths: readonly string[]) =>
      plural(paths.length, {
        one: `Angehängt und als ${paths[0]} gespeichert.`,
        other: `${formatNumber(paths.length)} Dateien angehängt und in attachments gespeichert.`,
      }),
    added: (n: number) => `${files(n)} zum Stammverzeichnis des Arbeitsbereichs hinzugefügt.`,
    kept: existed,
    refused: (name: string, why: string) => `${name} wurde ausgelassen: ${why}`,
    moreRefused: (n: number) =>
      n === 1 ? '1 weitere wurde ausgelassen.' : `${formatNumber(n)} weitere wurden ausgelassen.`,
    replace: 'Ersetzen',
    notShown:
      'Dieses Bild hat ein Format, das Modelle nicht sehen, oder ist größer als 50 MB; es wurde als Datei hinzugefügt.',
    unpack: (name: string) => `${name} entpacken`,
    leaveOutIgnored,
    nothing: 'Darin wurden keine Dateien gefunden. Legen Sie Dateien oder Ordner ab.',
    noWorkspace:
      'Es gibt keinen Arbeitsbereich für die Dateien. Starten Sie eine Sitzung und legen Sie sie dann erneut ab.',
    recordingShown:
      'Zu einer Aufzeichnung können keine Dateien hinzugefügt werden. Öffnen oder starten Sie zuerst eine Sitzung.',
    readOnly: 'Diese Sitzung ist in einem anderen Tab geöffnet; fügen Sie Dateien dort hinzu.',
  },

  notify: {
    waits: (session: string) => `${session}: Der Agent wartet auf Ihre Antwort`,
    done: (session: string) => `${session}: Der Agent ist fertig`,
    waitsHere: (session: string) => `„${session}“ wartet auf Ihre Antwort.`,
    severalWait: (count: number) =>
      plural(count, {
        one: '1 Sitzung wartet auf Ihre Antwort.',
        other: `${formatNumber(count)} Sitzungen warten auf Ihre Antwort.`,
      }),
    show: 'Anzeigen',
    untitled: 'Unbenannte Sitzung',
    waitedMeanwhile: 'Seit Sie diesen Tab verlassen haben, wartet der Agent auf Ihre Antwort.',
    doneMeanwhile: 'Der Agent ist in Ihrer Abwesenheit fertig geworden.',
    turnOn: 'Nächstes Mal benachrichtigen',
    on: 'Sie werden benachrichtigt, wenn der Agent wartet oder fertig ist, während dieser Tab im Hintergrund ist. Abschalten lässt sich das in den Einstellungen.',
    refused:
      'Der Browser erlaubt dieser Seite keine Benachrichtigungen. Erlauben Sie sie in den Browsereinstellungen für diese Seite.',
  },

  offline: {
    newer: 'Eine neue Version ist bereit.',
    newerText: 'Sie wird nach dem Neuladen verwendet. Sitzungen und Entwürfe bleiben erhalten.',
    newerWorking:
      'Der Agent arbeitet noch, und beim Neuladen wird seine Runde gestoppt. Sitzungen und Entwürfe bleiben erhalten.',
    reload: 'Neu laden',
    later: 'Später',
    needsReload: 'Für node muss die Seite einmal neu geladen werden.',
    needsReloadText:
      'Dieser Host sendet nicht die Header, die node braucht. Nach dem Neuladen ergänzt die Seite sie selbst. Sitzungen und Entwürfe bleiben erhalten.',

    allow: 'Vitrine in diesem Browser für die Offlinenutzung speichern',
    starting: 'Die Seite wurde gerade erst geöffnet.',
    works: 'Funktioniert offline.',
    complete: (size: string) => `Funktioniert offline: ${size} sind in diesem Browser gespeichert.`,
    downloading: (kept: string, all: string) => `Download für die Offlinenutzung: ${kept} von ${all}.`,
    downloadingRest: (kept: string, all: string) =>
      `Funktioniert offline. Selten Gebrauchtes wird noch heruntergeladen: ${kept} von ${all}.`,
    savingData: (kept: string, all: string) =>
      `Für die Offlinenutzung wird nichts heruntergeladen, weil in diesem Browser der Datensparmodus aktiv ist. ${kept} von ${all} sind gespeichert.`,
    failed: (problem: string) => `Der Download für die Offlinenutzung ist fehlgeschlagen: ${problem}`,
    download: 'Jetzt herunterladen',
    again: 'Erneut versuchen',
    whyNone: {
      insecure: 'Funktioniert nicht offline: Die Seite wurde nicht über https geladen.',
      unsupported:
        'Funktioniert nicht offline: Dieser Browser hat hier keine Service Worker. In privaten Fenstern fehlen sie manchmal.',
      site: 'Funktioniert nicht offline: Der Betreiber dieser Website hat es ausgeschaltet.',
      person: 'Funktioniert nicht offline: Es ist ausgeschaltet.',
      link: 'Funktioniert nicht offline: Die Seite wurde ohne diese Funktion geöffnet.',
      refused: 'Funktioniert nicht offline: Der Browser hat den Service Worker abgelehnt.',
    } satisfies Record<WhyNone, string>,

    nodeIsOff:
      'node ist deaktiviert und damit eigene Tools und Plugins, weil die Seite nicht Cross-Origin-isoliert ist. Ihr Server muss mit jeder Datei Cross-Origin-Opener-Policy: same-origin und Cross-Origin-Embedder-Policy: require-corp senden.',
    notIsolated: {
      insecure: 'Über https könnte die Seite sie selbst ergänzen.',
      unsupported: 'Die Seite könnte sie selbst ergänzen, aber dieser Browser hat hier keine Service Worker.',
      site: 'Die Seite könnte sie selbst ergänzen, aber der Betreiber dieser Website hat das ausgeschaltet.',
      person:
        'Die Seite ergänzt sie selbst, wenn in den Einstellungen „Vitrine in diesem Browser für die Offlinenutzung speichern“ aktiviert ist.',
      link: 'Die Seite könnte sie selbst ergänzen, wurde aber ohne ihren Service Worker geöffnet.',
      refused: 'Die Seite könnte sie selbst ergänzen, aber der Browser hat ihren Service Worker abgelehnt.',
    } satisfies Record<WhyNone, string>,
    notIsolatedStarting: 'Die Seite ergänzt sie gleich selbst.',
    notIsolatedReload: 'Laden Sie die Seite neu: Dann ergänzt sie sie selbst.',
    notIsolatedAnyway: 'Die Seite hat sie selbst ergänzt, aber dieser Browser isoliert sie trotzdem nicht.',
  },

  palette: {
    palette: 'Alle Befehle',
    field: 'Befehl',
    placeholder: 'Was möchten Sie tun?',
    list: 'Befehle',
    none: 'Kein Befehl mit diesem Namen gefunden.',
    found: (count: number) => plural(count, { one: '1 Befehl', other: `${formatNumber(count)} Befehle` }),

    keys: 'Tastenkombinationen',
    keysAbout:
      'Sie gelten überall auf der Seite, außer wenn ein Textfeld sie braucht. Jedem Befehl lassen sich andere Tasten zuweisen.',
    command: 'Befehl',
    key: 'Tasten',
    noKeys: 'keine',
    change: (command: string) => `Tasten für „${command}“ ändern`,
    changeShort: 'Ändern',
    press: 'Drücken Sie die neuen Tasten. Die Rücktaste entfernt die Zuweisung, Esc lässt sie unverändert.',
    needsModifier:
      'Mit Ctrl, Alt oder ⌘ kombinieren oder eine Funktionstaste verwenden: Andere Tasten schreiben Text.',
    taken: (keys: string, command: string) => `${keys} ist bereits „${command}“ zugewiesen.`,
    take: 'Trotzdem zuweisen',
    leave: 'Nicht zuweisen',
    reset: (command: string) => `Tasten für „${command}“ auf Standard zurücksetzen`,
    resetShort: 'Zurücksetzen',
    resetAll: 'Alle Tasten auf Standard zurücksetzen',

    more: 'Weitere Tasten',
    others: [
      ['Enter, Shift+Enter', 'Im Nachrichtenfeld: senden, neue Zeile'],
      ['/, @', 'Im Nachrichtenfeld: Befehle, Dateien'],
      ['Pfeiltasten, Pos1, Ende', 'In Listen, Bäumen und Tabs und auf der Linie am Rand eines Bereichs'],
      ['Esc, dann Tab', 'Das Terminal oder den Text einer Datei verlassen'],
      ['Tab, Shift+Tab', 'Zum nächsten Element und zurück'],
    ],
  },

  pane: {
    width: {
      sidebar: 'Breite der Sitzungsliste',
      workbench: 'Breite der Workbench',
    } satisfies Record<SidePane, string>,
    fill: {
      sessions: 'Sitzungsliste auf die ganze Seite vergrößern',
      chat: 'Unterhaltung auf die ganze Seite vergrößern',
      workbench: 'Workbench auf die ganze Seite vergrößern',
    } satisfies Record<MainPane, string>,
    unfill: 'Wieder alle Bereiche anzeigen',
    layouts: {
      all: { name: 'Alle Bereiche', about: 'Wie zuletzt eingestellt' },
      talking: { name: 'Chatten', about: 'Nur die Unterhaltung' },
      reviewing: { name: 'Prüfen', about: 'Änderungen neben einer schmalen Unterhaltung' },
      watching: { name: 'Beobachten', about: 'Inspektor oder Protokoll neben der Unterhaltung' },
    } satisfies Record<LayoutName, { name: string; about: string }>,
    hint: 'Ziehen oder die Pfeiltasten verwenden. Ein Doppelklick stellt die Standardbreite wieder her.',
    pixels: (width: number) => `${width} Pixel`,
  },

  session: {
    pinned: 'Angeheftet',
    pin: 'Anheften',
    unpin: 'Loslösen',
    archive: 'Archivieren',
    unarchive: 'Zurück in die Liste',
    archived: (count: number) => `Archiviert (${formatNumber(count)})`,
    isArchived: 'archiviert',
    noArchived: 'Nichts archiviert.',
    newHere: 'Neue Sitzung hier',
    states: {
      waiting: 'Wartet auf Sie',
      paused: 'Pausiert',
      working: 'Arbeitet',
      failed: 'Fehlgeschlagen',
      interrupted: 'Unterbrochen',
      unseen: 'Neu',
    } satisfies Record<RowState, string>,
    count: (count: number) => plural(count, { one: '1 Sitzung', other: `${formatNumber(count)} Sitzungen` }),
    opening: 'Startet',
    elsewhere: 'In einem anderen Tab',
    broken: 'Fehlgeschlagen',
  },

  markdown: {
    picture: 'Bild',
    remotePicture: (name: string, host: string) => `${name || 'Bild'} (Bild auf ${host}, nicht geladen)`,
    noPicture: (name: string, why: string) => `${name} (${why})`,
    pictureMissing: 'nicht im Arbeitsbereich',
    pictureTooLarge: 'zu groß, um hier angezeigt zu werden',
    pictureNotImage: 'kein Bild, das angezeigt werden kann',
    table: 'Tabelle',
    copyMarkdown: 'Als Markdown kopieren',
    copyCSV: 'Als CSV kopieren',
    copied: 'Kopiert',
    diagram: 'Diagramm',
    drawing: 'Diagramm wird gezeichnet',
    showSource: 'Quelltext anzeigen',
    showDiagram: 'Diagramm anzeigen',
    noDiagram: (why: string) => `Das Diagramm kann nicht gezeichnet werden: ${why}`,
  },
} satisfies FrameTexts;
