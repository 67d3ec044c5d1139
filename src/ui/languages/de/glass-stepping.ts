import type { DraftProblem } from '../../glass/stepping/message-edit.ts';
import type { PausePoint } from '../../../session/stepping/points.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

export const step = {
  goOn: 'Eine neue Sitzung setzt ab diesem Zeitpunkt fort; diese bleibt pausiert.',
  bar: 'Schrittweise Ausführung',
  points: {
    request: 'Pausiert vor der Anfrage',
    response: 'Pausiert nach der Antwort des Modells',
    call: 'Pausiert vor der Ausführung des Tools',
    result: 'Pausiert vor der Übergabe des Ergebnisses an das Modell',
  } satisfies Record<PausePoint, string>,
  in: (title: string) => `in ${title}`,
  more: (n: number) => `${n} weitere pausiert`,
  armed: 'Aktiv: Ihre nächste Nachricht pausiert, bevor ihre Anfrage abgesendet wird.',
  stepping: 'Aktiv: Pausiert beim nächsten Ereignis.',
  toEnd: 'Läuft bis zum Ende der Runde.',
  breaks: (n: number) =>
    plural(n, {
      one: 'Pausiert an 1 Haltepunkt.',
      other: `Pausiert an ${formatNumber(n)} Haltepunkten.`,
    }),
  off: '„Einzelschritt“ pausiert beim nächsten Ereignis.',
  step: 'Einzelschritt',
  continue: 'Fortsetzen',
  toEndDo: 'Bis zum Ende',
  close: 'Schrittweise Ausführung beenden',
  breakpoints: (n: number) => (n === 0 ? 'Haltepunkte' : `Haltepunkte (${n})`),

  edited: 'Bearbeitet: Ihre nächste Aktion verwendet dies.',
  restore: 'Bearbeitung verwerfen',
  notValid: 'Dies ist nicht verwendbar.',
  problem: (problem: DraftProblem): string => {
    if (problem.kind === 'json')
      return `Dies ist kein JSON: Zeile ${problem.line}, Zeichen ${problem.character}.`;
    if (problem.kind === 'empty') return 'Eine Nachricht braucht mindestens einen Teil.';
    if (problem.kind === 'lacks') return `Es fehlt: ${problem.path}`;
    return `${problem.path || 'content'} muss sein: ${problem.expected}`;
  },
  told: 'Bei dieser Ausführung erhält das Modell:',
  system: 'System-Prompt',
  requestHint: 'Die Unterhaltung auf dem Bildschirm bleibt, wie sie ist.',
  holdsFor: 'Änderungen bei dieser Pause gelten',
  once: 'nur für diese Anfrage',
  lasting: 'ab jetzt',
  systemLasts:
    'Der System-Prompt bleibt für diesen Agenten in dieser Sitzung genau so, wie Sie ihn schreiben, auch wo Dateien oder das Datum ihn ändern würden.',
  message: (n: number, role: string) => `Nachricht ${n}, ${role}`,
  asJson: 'als JSON',
  addMessage: 'Nachricht hinzufügen',
  unpaired: (tools: string) =>
    `Ein Aufruf oder ein Ergebnis von ${tools} steht ohne das andere da. Anbieter lehnen eine solche Anfrage ab.`,
  removeMessage: (n: number) => `Nachricht ${n} weglassen`,
  arguments: (tool: string) => `Argumente von ${tool}`,
  argumentsHint:
    'Sie werden erneut geprüft, und die Berechtigung wird für das eingeholt, was wirklich ausgeführt wird.',
  instead: 'Stattdessen antworten',
  run: 'Ausführen lassen',
  answer: (tool: string) => `Was ${tool} sagt`,
  failed: 'Als Fehler',
  result: (tool: string) => `Ergebnis von ${tool}`,
  outcome: (outcome: string) => `Beendet als: ${outcome}`,
  calls: (tool: string) => `Ruft ${tool} auf`,
  nothing: 'Das Modell hat nichts geschrieben und nichts aufgerufen.',
  ended: (reason: string) => `Beendet mit: ${reason}`,

  at: 'Pausieren',
  anywhere: 'überall',
  atPoints: {
    request: 'vor einer Anfrage',
    response: 'nach einer Antwort',
    call: 'vor der Ausführung eines Tools',
    result: 'vor der Übergabe eines Ergebnisses an das Modell',
  } satisfies Record<PausePoint, string>,
  tool: 'Tool',
  toolHint: 'beliebig; * und ? sind Platzhalter',
  pattern: 'Muster',
  patternHint: 'regulärer Ausdruck',
  errors: 'Nur bei Fehlern',
  add: 'Haltepunkt hinzufügen',
  remove: (what: string) => `Entfernen: ${what}`,
  none: 'Noch keine Haltepunkte.',
  wrong: 'Dies ist kein regulärer Ausdruck.',

  editedCall: {
    input: 'Sie haben die Argumente geändert.',
    output: 'Sie haben geändert, was das Modell sieht.',
    answer: 'Sie haben anstelle des Tools geantwortet: Es wurde nicht ausgeführt.',
  },
  from: 'Vorher',
  to: 'Nachher',
  editedRequest: 'Sie haben diese Anfrage vor dem Absenden geändert.',
  retold: 'Ab hier sehen Modelle stattdessen Ihren Text.',
  tellAsItIs: 'Original wieder verwenden',
  systemRetold: (agent: string) =>
    `Ab hier verwendet der Agent ${agent} den System-Prompt, den Sie geschrieben haben.`,
  tellOwnSystem: 'Eigenen Prompt des Agenten wieder verwenden',
} satisfies GlassTexts['step'];

export const you = {
  title: 'Sie sind das Modell',
  of: (title: string) => `für ${title}`,
  more: (n: number) => `${n} weitere warten`,
  hint: 'Ein Modell kann nur Text und Tool-Aufrufe schreiben. Was Sie senden, wird wie die Antwort eines Modells behandelt.',
  sees: 'Was das Modell sieht',
  answer: 'Ihre Antwort',
  system: 'System-Prompt',
  characters: (n: string) => `${n} Zeichen`,
  messages: 'Nachrichten',
  tools: (n: number) => plural(n, { one: '1 Tool', other: `${formatNumber(n)} Tools` }),
  schema: 'Schema der Argumente',
  raw: 'Als JSON',
  readable: 'Als Text',
  roles: {
    system: 'System',
    user: 'Benutzer',
    assistant: 'Sie, zuvor',
    tool: 'Ergebnis',
  },
  reasoning: 'Überlegungen',
  calls: (tool: string) => `ruft ${tool} auf`,
  result: (tool: string, failed: boolean) => `${tool} ${failed ? 'ist fehlgeschlagen' : 'sagt'}`,
  file: 'Datei',
  text: 'Text',
  textHint: 'Was das Modell sagt',
  callTool: 'Tool aufrufen',
  findTool: 'Tool suchen',
  noTool: 'Kein Tool mit diesem Namen.',
  noTools: 'Diese Anfrage enthält keine Tools.',
  call: (tool: string) => `Aufruf von ${tool}`,
  noArguments: 'Erwartet keine Argumente.',
  optional: 'optional',
  notSet: 'Weglassen',
  yes: 'true',
  no: 'false',
  add: (name: string) => `Zu ${name} hinzufügen`,
  remove: (name: string) => `${name} entfernen`,
  item: (name: string, n: number) => `${name} ${n}`,
  asJson: 'JSON schreiben',
  asForm: 'Formular verwenden',
  json: (tool: string) => `Argumente von ${tool} als JSON`,
  jsonPart: 'Beliebiges JSON',
  notForm:
    'Ein Formular kann nur ein JSON-Objekt anzeigen, und dies ist keines. Senden können Sie es trotzdem.',
  problem: 'In dieser Form erhält das Modell:',
  fits: 'Die Argumente entsprechen dem Schema.',
  send: 'Antwort senden',
  sendCalls: (n: number) =>
    plural(n, { one: 'Mit 1 Aufruf senden', other: `Mit ${formatNumber(n)} Aufrufen senden` }),
  ends: 'Eine Antwort ohne Aufruf beendet die Runde.',
  empty: 'Schreiben Sie etwas oder rufen Sie ein Tool auf.',
  otherTab: 'Beantworten Sie dies im anderen Tab.',
} satisfies GlassTexts['you'];
