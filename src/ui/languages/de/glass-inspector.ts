import type { SpanKind } from '../../../session/inspect/spans.ts';
import type { StationName } from '../../../session/inspect/life.ts';
import type { PausePoint } from '../../../session/stepping/points.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { callStates, outcomes } from './shared.ts';

const schemaMismatch = 'Sie entsprechen nicht dem Schema des Tools.';

export const inspector = {
  none: 'In dieser Sitzung ist noch nichts geschehen. Jede Anfrage an ein Modell und jeder Tool-Aufruf wird hier aufgelistet.',
  noSession: 'Öffnen oder starten Sie eine Sitzung, um hineinzusehen.',
  failed: (why: string) => `Das Protokoll dieser Sitzung konnte nicht gelesen werden: ${why}`,
  loading: 'Protokoll wird gelesen',

  tree: 'Runden, Schritte und Aufrufe',
  turn: (n: number) => `Runde ${n}`,
  summing: 'Zusammenfassen',
  step: (n: number) => `Schritt ${n}`,
  stepOfTurn: (turn: number, step: number) => `Runde ${turn}, Schritt ${step}`,
  summary: 'Zusammenfassung',
  still: 'läuft noch',
  states: {
    thinking: callStates.typing,
    running: callStates.running,
    waiting: callStates.waiting,
    held: 'von Hand pausiert',
    done: outcomes.ok,
    failed: 'fehlgeschlagen',
    stopped: 'gestoppt',
  },
  turnStates: {
    idle: 'fertig',
    error: 'fehlgeschlagen',
    aborted: 'gestoppt',
    rejected: 'abgelehnt',
    interrupted: 'unterbrochen',
  },
  kinds: {
    model: 'Modell',
    waiting: 'Warten auf eine Antwort',
    tool: 'Tools',
    retry: 'Warten auf neuen Versuch',
    held: 'Von Hand pausiert',
  } satisfies Record<SpanKind, string>,
  legend: 'Wofür die Zeit verwendet wurde',
  folded: (time: string) => `${time} auf Antwort gewartet, ausgeblendet`,
  foldedPauses: (time: string) => `${time} von Ihnen angehalten, ausgeblendet`,

  search: 'In Schritten und Aufrufen suchen',
  searchHint: 'Tool, Argument, Ausgabe, Text, Vorschau',
  filter: 'Anzeigen',
  filters: {
    all: 'Alles',
    steps: 'Nur Schritte',
    asked: 'Aufrufe mit Nachfrage',
    failed: 'Fehlgeschlagen oder abgelehnt',
    edited: 'Von Ihnen geändert',
  },
  onlyTool: (tool: string, verb: string) => `Aufrufe von ${tool}${verb === tool ? '' : ` (${verb})`}`,
  noMatch: 'Kein passender Schritt oder Aufruf.',
  found: (n: number) => `${formatNumber(n)} Treffer`,

  edited: 'von Ihnen geändert',
  heldFor: (at: string, time: string) => `Von Ihnen ${time} lang pausiert: ${at}.`,
  holding: (at: string) => `Von Hand pausiert: ${at}.`,
  holdPoints: {
    request: 'vor dem Absenden',
    response: 'nach der Antwort',
    call: 'vor der Ausführung',
    result: 'vor der Übergabe des Ergebnisses an das Modell',
  } satisfies Record<PausePoint, string>,
  editedRequest: 'Sie haben diese Anfrage vor dem Absenden geändert. Dies hat das Modell bekommen.',
  retoldRequest: 'Enthält Änderungen, die Sie bei einer früheren Pause vorgenommen haben.',
  requestBefore: 'Vor Ihrer Änderung',

  detail: 'Details',
  life: 'Ablauf dieses Aufrufs',
  stepLife: 'Ablauf dieses Schritts',
  stations: {
    registered: 'registriert',
    resolved: 'aufgelöst',
    pending: 'ausstehend',
    permitted: 'zugelassen',
    running: 'läuft',
    ended: 'beendet',
  } satisfies Record<StationName, string>,
  stationStates: {
    passed: 'durchlaufen',
    now: 'jetzt hier',
    skipped: 'übersprungen',
    failed: 'hier fehlgeschlagen',
    ahead: 'noch nicht',
  },
  outcomes,
  stepStations: {
    asked: 'erstellt',
    sent: 'gesendet',
    first: 'erstes Token',
    answered: 'Antwort vollständig',
    ended: 'beendet',
  },

  tabs: {
    call: 'Aufruf',
    rules: 'Regeln',
    output: 'Ausgabe',
    stream: 'Stream',
    request: 'Anfrage',
    answer: 'Antwort',
  },

  said: 'Argumente, wie das Modell sie geschrieben hat',
  typed: 'Argumente, wie sie gestreamt wurden',
  typedPieces: (n: number) =>
    plural(n, { one: 'In 1 Chunk gestreamt', other: `In ${formatNumber(n)} Chunks gestreamt` }),
  parsed: 'Argumente, wie das Tool sie erhalten hat',
  same: 'Das Tool hat sie genau so erhalten, wie sie geschrieben wurden.',
  neverRan: 'Das Tool wurde nicht ausgeführt.',
  stillTyped: 'Das Modell schreibt sie noch.',
  valid: 'Sie entsprechen dem Schema des Tools.',
  invalid: {
    'unknown-tool': 'Es gibt kein Tool mit diesem Namen.',
    'bad-json': 'Sie sind kein gültiges JSON.',
    'bad-input': schemaMismatch,
    'too-deep': 'Sie sind zu tief verschachtelt.',
  },
  notFit: schemaMismatch,
  calledBy: (callID: string) => `Ausgelöst von Aufruf ${callID}.`,

  decisions: 'Entscheidungen, der Reihe nach',
  noRules: 'Für diesen Aufruf wurde keine Regel geprüft.',
  considered: (pattern: string) => `Regeln, die auf ${pattern} zutreffen`,
  noneConsidered: (pattern: string) => `Keine Regel trifft auf ${pattern} zu.`,
  consideredRule: (rule: string, action: string, source: string) => `${rule}: ${action} (Quelle: ${source})`,
  decided: 'hat entschieden',
  aside: 'ignoriert, weil sie nicht zeigt, was ausgeführt würde',
  unlisted: (n: number) =>
    plural(n, {
      one: 'Eine frühere Regel ist nicht aufgeführt.',
      other: `${formatNumber(n)} frühere Regeln sind nicht aufgeführt.`,
    }),

  metadata: 'Metadaten des Aufrufs',
  metadataEnd: 'Am Ende',
  printed: 'Während der Ausführung ausgegeben',
  before: 'Ausgabe vor dem Kürzen',
  after: 'Ausgabe nach dem Kürzen',
  outputWhole: 'Vollständige Ausgabe',
  sawTitle: 'Was das Modell gesehen hat',
  saw: (step: string) => `In der Anfrage von ${step}:`,
  unseen: 'Noch kein Modell hat sie gesehen.',
  noResult: 'Noch kein Ergebnis.',

  parts: 'Teile der Antwort, der Reihe nach',
  noParts: 'Noch nichts angekommen.',
  more: (n: number) => `${formatNumber(n)} weitere anzeigen`,

  equal: 'Der aus dem Protokoll rekonstruierte Body entspricht dem gesendeten.',
  different: 'Der aus dem Protokoll rekonstruierte Body weicht vom gesendeten ab.',
  differentAt: (offset: number) => `Sie unterscheiden sich ab Zeichen ${formatNumber(offset)}.`,
  differentFiles: 'Eine angehängte Datei ist auf diesem Gerät nicht mehr gespeichert.',
  differentWhy:
    'Er wurde von einer anderen Version dieser Seite gesendet oder mit einer anderen Adresse oder anderen Anbietereinstellungen als jetzt.',
  inPage: 'Dieses Modell läuft in der Seite: Nichts ging über ein Netz.',
  notSent: 'Es wurde nichts gesendet.',
  unknownBody: 'Der Body lässt sich für den Vergleich nicht rekonstruieren.',
  sentSha: 'SHA-256, gesendet',
  rebuiltSha: 'SHA-256, rekonstruiert',
  wasSent: 'Gesendet',
  wasRebuilt: 'Rekonstruiert',
  bodyKept: 'Body, wie gesendet',
  bodyRebuilt: 'Body, aus dem Protokoll rekonstruiert',
  masked: 'Secrets sind maskiert. Die Hashwerte beziehen sich auf den vollständigen Text.',
  requestFailed: (why: string) => `Die Anfrage lässt sich nicht rekonstruieren: ${why}`,
  requestLacks: {
    withheld: 'Wer diese Aufzeichnung geteilt hat, hat weggelassen, was an das Modell gesendet wurde.',
    attachment:
      'Diese Aufzeichnung enthält nicht die ganze Anfrage: Sie gibt einen Anhang wieder, der weggelassen wurde, oder es war kein Platz für sie.',
    older:
      'Diese Aufzeichnung enthält nicht die ganze Anfrage: Sie stammt von einer älteren Version, oder es war kein Platz dafür.',
  },
  rebuilding: 'Anfrage wird rekonstruiert',
  system: 'System-Prompt',
  messages: (n: number, shared: number) =>
    shared === 0 ? `Nachrichten: ${n}` : `Nachrichten: ${n}, davon ${n - shared} neu in diesem Schritt`,
  newMessage: 'neu',
  tools: (n: number) => `Tools: ${n}`,
  settings: 'Einstellungen',
  characters: (n: string) => `${n} Zeichen`,
  model: 'Modell',
  agent: 'Agent',

  asked: 'Prompt',
  turnEnded: 'Ende',
  spoken: { text: 'Text', reasoning: 'Überlegungen' },
  usage: 'Verbrauch und Zeit',
  tokens: {
    inputTokens: 'Eingabe',
    outputTokens: 'Ausgabe',
    reasoningTokens: 'davon Überlegungen',
    cacheReadTokens: 'Aus dem Cache gelesen',
    cacheWriteTokens: 'In den Cache geschrieben',
  },
  cost: 'Kosten',
  noCost: 'Preis unbekannt',
  firstPiece: 'Erstes Token nach',
  took: 'Dauer',
  ended: 'Beendet mit',
  tokensPerSecond: 'Ausgabe-Tokens pro Sekunde',
  fault: 'Fehler',
  tried: (attempt: number, delay: string) => `Nach ${delay} erneut versucht, Wiederholung ${attempt}.`,
  noUsage: 'Der Anbieter hat keinen Verbrauch gemeldet.',

  copy: 'Kopieren als',
  copyJSON: 'JSON',
  copyCurl: 'cURL',
  copySnippet: 'AI SDK',
  copied: (what: string) => `Als ${what} kopiert.`,
  copyFailed: 'Kopieren fehlgeschlagen.',
  noCurl: 'An dieses Modell wird nichts gesendet, daher gibt es nichts als cURL zu kopieren.',
  showAll: (n: string) => `Alle ${n} Zeichen anzeigen`,
} satisfies GlassTexts['inspector'];

export const past = {
  past: 'Sie sehen einen früheren Stand.',
  at: (count: number, total: number) =>
    `Stand nach Ereignis ${formatNumber(count)} von ${formatNumber(total)}.`,
  now: 'Zurück zu jetzt',
  nothing: 'Noch war nichts gesagt worden.',

  slider: 'Ereignis',
  moment: 'Frühere Stände ansehen',
  present: (total: string) => `Nach ${total} ${total === '1' ? 'Ereignis' : 'Ereignissen'}`,
  place: (count: string, total: string, what: string) => `Ereignis ${count} von ${total}: ${what}`,
  before: 'Ein Ereignis zurück',
  after: 'Ein Ereignis vor',
  start: 'vor dem ersten',

  files: (at: number) => `Dateien bei Ereignis ${formatNumber(at)}`,
  filesAtStart: 'Dateien am Anfang',
  filesAfterTurn: (turn: number) => `Dateien nach Runde ${turn}`,
  filesAfterCall: (tool: string, turn: number) => `Dateien nach ${tool} in Runde ${turn}`,
  laterFilesLeftOut: 'Diese Aufzeichnung enthält nicht nach jedem späteren Aufruf die Dateien.',
  filesLoading: 'Dateiliste wird gelesen',
  filesFailed: (why: string) => `Die Dateien konnten nicht gelesen werden: ${why}`,
  noFiles: 'Es gab keine Dateien.',
  notRecorded: 'Es wurden keine Dateien aufgezeichnet.',
  ignored: (paths: readonly string[]) => {
    const named = paths.slice(0, 5).join(', ');
    const more = paths.length > 5 ? ` und ${formatNumber(paths.length - 5)} weitere` : '';
    return `Nicht gespeichert, weil .gitignore oder eine feste Liste es ausschließt: ${named}${more}.`;
  },
  fileGone: 'Diese Datei ist nicht mehr gespeichert.',
  binary: 'Diese Datei ist kein Text.',
} satisfies GlassTexts['past'];
