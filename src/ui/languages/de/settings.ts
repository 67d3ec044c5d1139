import type { Grant } from '../../../config/grants.ts';
import type { ServerState } from '../../../extensions/mcp/servers.ts';
import type { SettingsTexts } from '../catalogue.ts';
import { browserModel, local, openRouter, settingsPages, tabModels } from './settings-pages.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { permissions } from './permissions.ts';

const GRANTS: Readonly<Record<Grant['kind'], (what: string) => string>> = {
  rule: (what) => `Ohne Nachfrage zulassen: ${what}`,
  'agent-rule': (what) => `Einem Agenten ohne Nachfrage erlauben: ${what}`,
  instructions: (what) => `Anweisungen abrufen von ${what}`,
  model: (what) => `An ein anderes Modell senden: ${what}`,
  switch: (what) => `Einschalten: ${what}`,
  setting: (what) => `Verwenden: ${what}`,
  provider: (what) => `An die Modelle von ${what} senden`,
  server: (what) => `Die Tools des Servers ${what} verwenden`,
  code: (what) => `Laden und ausführen: ${what}`,
};

const SERVER_STATES: {
  readonly [S in ServerState['state']]: (state: Extract<ServerState, { state: S }>) => string;
} = {
  off: () => 'Ausgeschaltet',
  connecting: () => 'Wird verbunden …',
  connected: ({ tools }) =>
    plural(tools.length, {
      one: 'Verbunden, 1 Tool',
      other: `Verbunden, ${formatNumber(tools.length)} Tools`,
    }),
  'sign-in': ({ wider }) =>
    wider
      ? 'Angemeldet, aber ein Aufruf braucht mehr Rechte: Melden Sie sich dafür erneut an'
      : 'Anmeldung erforderlich',
  'no-client': ({ fault }) => told(fault),
  failed: ({ fault }) => told(fault),
};

function told({ what, next }: { readonly what: string; readonly next?: string | undefined }): string {
  return next === undefined ? what : `${what} ${next}`;
}

const config = {
  heading: 'Konfigurationsdateien',
  hint: 'Was die Dateien dieses Arbeitsbereichs festlegen, und Ihre eigenen. Die eines Arbeitsbereichs können nur Nachfragen und Ablehnungen festlegen, bis Sie ihnen vertrauen.',
  noWorkspace: 'Kein Arbeitsbereich geöffnet.',
  noFiles: 'Dieser Arbeitsbereich hat keine Konfigurationsdateien.',
  filesRead: 'Gelesene Dateien',
  rules: 'Aktive Regeln; spätere haben Vorrang',
  problems: 'Was ignoriert wird',
  problem: (file: string, line: number | undefined, what: string, next: string) =>
    `${file}${line === undefined ? '' : `:${line}`}: ${what} ${next}`,
  unusedModel: (provider: string, model: string, providerName: string | undefined) => ({
    what: providerName
      ? `${model} wird nicht verwendet: ${providerName} ist in diesem Browser nicht eingerichtet.`
      : `${model} wird nicht verwendet: Es gibt hier keinen Anbieter „${provider}“.`,
    next: providerName
      ? 'Richten Sie ihn oben ein; bis dahin gehen Prompts an das dort gewählte Modell.'
      : 'Prompts gehen an das oben gewählte Modell.',
  }),
  unusedAgentModel: (provider: string, model: string, providerName: string | undefined) => ({
    what: `${model} wird nicht verwendet: ${providerName ? `${providerName} ist in diesem Browser nicht eingerichtet` : `Es gibt hier keinen Anbieter „${provider}“`}.`,
    next: 'Der Agent arbeitet mit dem Modell, an das ein Prompt geht.',
  }),
  grants: 'Was sie zulassen würden',
  grant: (kind: Grant['kind'], what: string) => GRANTS[kind](what),
  trusted: 'Sie vertrauen diesen Dateien.',
  untrusted: 'Sie vertrauen diesen Dateien nicht, daher gilt nichts davon.',
  trustTitle: 'Dieser Arbeitsbereich möchte mehr, als Ihre Einstellungen zulassen.',
  trustText: (count: number) =>
    `${plural(count, {
      one: 'Ein Eintrag in seinen Dateien wartet',
      other: `${formatNumber(count)} Einträge in seinen Dateien warten`,
    })} auf Ihr Vertrauen. Bis dahin können die Dateien nur Nachfragen und Ablehnungen festlegen.`,
  commands: 'Befehle',
  foundCommands: (count: number) =>
    `${count === 1 ? '1 Befehl' : `${count} Befehle`}: Pfeil nach oben und unten wählt aus, Enter übernimmt, Esc schließt`,
  look: 'Prüfen',
  trust: 'Vertrauen',
  distrust: 'Nicht vertrauen',
  secrets: 'Secrets',
  secretsHint:
    'Dateien und eigene Tools nennen sie als ${NAME} oder {env:NAME} und sehen sie nie: Die App setzt den Wert in eine Anfrage ein, nachdem Sie deren Host zugestimmt haben. Sie bleiben, bis der Tab geschlossen wird, sofern sie nicht gemerkt werden.',
  secretName: 'Name des Secrets',
  secretValue: 'Wert',
  rememberSecret: 'Auf diesem Gerät merken',
  saveSecret: 'Secret speichern',
  noValue: 'in diesem Tab kein Wert',
  secretAsked: (name: string, host: string) => `${host} möchte das Secret ${name}.`,
  allowSecret: 'Zulassen',
  own: 'Ihre eigenen Dateien',
  ownHint:
    'Für jeden Arbeitsbereich dieses Browsers. Der Agent kann sie unter ~/.config/opencode lesen, aber nicht ändern. opencode.json und config.toml enthalten Einstellungen, AGENTS.md Anweisungen, agents/*.md Agenten, commands/*.md Befehle, skills/NAME/SKILL.md Skills, tools/*.ts Tools, plugins/*.ts Plugins.',
  ownFile: 'Datei',
  ownText: 'Text',
  newFile: 'Neue eigene Datei',
  fileName: 'Name der neuen Datei',
  editedName: 'Name der Datei',
  taken: (path: string) => `${path} gibt es schon. Bearbeiten Sie stattdessen diese Datei.`,
  unusedName:
    'Gespeichert, aber keine Datei dieses Namens wird von selbst verwendet, nur die oben genannten. Eine andere Datei kann auf sie verweisen.',
  cancel: 'Abbrechen',
  done: 'Fertig',
  removed: (path: string) => `${path} entfernt.`,
  save: 'Datei speichern',
  saved: 'Gespeichert.',
  remove: 'Entfernen',
  removeFile: (path: string) => `${path} entfernen`,
  edit: 'Bearbeiten',
  editFile: (path: string) => `${path} bearbeiten`,
} satisfies SettingsTexts['config'];

const settingsTexts = {
  settingsPermissions: 'Berechtigungen',
  settingsRules: 'Gespeicherte Antworten',
  settingsLook: 'Darstellung',
  settingsNotifications: 'Während dieser Tab im Hintergrund ist',
  notifications: 'Benachrichtigen, wenn der Agent wartet oder fertig ist',
  notificationSound: 'Dabei einen Ton abspielen',
  notificationsRefused:
    'Der Browser erlaubt dieser Seite keine Benachrichtigungen. Erlauben Sie sie in den Browsereinstellungen für diese Seite.',
  settingsStorage: 'Speicher',
  provider: 'Anbieter',
  chooseProvider: 'Bitte wählen',
  baseURL: 'Basis-URL',
  apiKey: 'API-Schlüssel',
  keyStored: { none: '', tab: 'Für diesen Tab gespeichert', device: 'Auf diesem Gerät gespeichert' },
  keyOptional: 'Nur wenn Ihr Server einen braucht',
  keyPlaceholder: 'Schlüssel einfügen',
  remember: 'Schlüssel auf diesem Gerät merken',
  rememberHint:
    'Sonst ist er weg, wenn dieser Tab geschlossen wird. Er wird immer nur an den Anbieter gesendet.',
  forgetKey: 'Schlüssel vergessen',
  getKey: 'Schlüssel besorgen',
  test: 'Verbindung testen',
  testing: 'Wird getestet',
  testOk: 'Das Modell hat geantwortet.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  baseURLDefault: 'Die Adresse des Anbieters',
  listing: 'Modellliste wird abgerufen',
  listed: (n: number) =>
    plural(n, { one: '1 Modell gefunden', other: `${formatNumber(n)} Modelle gefunden` }),
  permissionName: (permission: string) => permissions[permission]?.label ?? permission,
  permissionActions: { allow: 'Zulassen', ask: 'Fragen', deny: 'Ablehnen', custom: 'Nach Muster' },
  permissionsHint: 'Was der Agent ohne Nachfrage tun darf, in jedem Arbeitsbereich.',
  rulesHint: 'Was Sie immer zugelassen haben, hier oder in jedem Arbeitsbereich.',
  noRules: 'Noch keine gespeicherten Antworten.',
  ruleScopes: { workspace: 'dieser Arbeitsbereich', everywhere: 'überall' },
  exportRules: 'In eine Datei exportieren',
  importRules: 'Aus einer Datei importieren',
  importedRules: (n: number) =>
    plural(n, {
      one: '1 Antwort wurde hinzugefügt.',
      other: `${formatNumber(n)} Antworten wurden hinzugefügt.`,
    }),
  rulesFile: 'vitrine-rules.json',
  revoke: 'Widerrufen',
  revokeRule: (rule: string) => `${rule} widerrufen`,
  settingsTools: 'Tools',
  toolSwitches: {
    'experimental.batch_tool': 'Mehrere Aufrufe in einem (batch)',
    'experimental.lsp_tool': 'Fragen zum Code (lsp)',
    'lsp.after_changes':
      'Dem Agenten mitteilen, welche Fehler eine Änderung in TypeScript und JavaScript hinterlässt',
  },
  toolsHint: 'Ausgeschaltete Tools werden dem Agenten ab seinem nächsten Schritt nicht mehr angeboten.',
  settingsConversations: 'Unterhaltungen',
  makeTitles: 'Sitzungen automatisch benennen',
  makeTitlesHint:
    'Eine weitere kleine Anfrage mit Ihrer ersten Nachricht. Sonst ist deren erste Zeile der Name.',
  makeSummaries: 'Zusammenfassen, wenn der Kontext voll ist',
  makeSummariesHint:
    'Statt alter Nachrichten und Ausgaben sieht das Modell dann eine Zusammenfassung; die Seite behält alles. Sonst endet die Runde, und /compact fasst auf Wunsch zusammen.',
  settingsWeb: 'Web',
  fetchProxy: 'Proxy zum Abrufen von Seiten',
  fetchProxyHint:
    'Die meisten Websites lassen sich von Seiten wie dieser nicht lesen. Ein Proxy, dem Sie vertrauen, kann es; er sieht jede Adresse. Setzen Sie {url} dort ein, wo die Adresse hingehört.',
  useSearchKey: 'Verwenden',
  rememberSearchKey: 'Schlüssel auf diesem Gerät merken',
  searchKeys: {
    exa: {
      label: 'Exa-Schlüssel',
      save: 'Exa-Schlüssel verwenden',
      forget: 'Exa-Schlüssel vergessen',
      hint: 'Mit einem Schlüssel kann der Agent mit Exa im Web suchen. Er wird immer nur an api.exa.ai gesendet.',
    },
    github: {
      label: 'GitHub-Token',
      save: 'GitHub-Token verwenden',
      forget: 'GitHub-Token vergessen',
      hint: 'Mit einem Token kann der Agent öffentlichen Code durchsuchen, und git erreicht private Repositorys und kann pushen. Zum Suchen genügt eines ohne jegliche Rechte. Es wird immer nur an api.github.com gesendet; für git wird bei jedem Repository gefragt.',
    },
  },
  language: 'Sprache',
  languageOfBrowser: 'Wie im Browser',
  languageReload:
    'Die Sprache ändert sich beim nächsten Neuladen. Das Neuladen stoppt eine laufende Runde. Sitzungen und Entwürfe bleiben erhalten.',
  reload: 'Neu laden',
  theme: 'Design',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  textSize: 'Textgröße',
  codeSize: 'Codegröße',
  sizes: {
    small: 'Klein',
    normal: 'Standard',
    large: 'Groß',
    larger: 'Sehr groß',
    largest: 'Maximal',
  },
  density: 'Dichte',
  densities: { comfortable: 'Großzügig', compact: 'Kompakt' },
  contrast: 'Kontrast',
  contrasts: { system: 'Wie im System', more: 'Mehr Kontrast' },
  licences: 'Lizenzen Dritter',
  storageUsed: (used: string, quota: string) =>
    `${used} von ${quota} belegt, die der Browser zur Verfügung stellt.`,
  storageUnknown: 'Der Browser gibt nicht an, wie viel belegt ist.',
  storagePersistent: 'Sitzungen und Dateien werden in diesem Browser gespeichert.',
  storageMemory:
    'Es wird nichts gespeichert: Dieser Browser lässt es nicht zu. Wird der Tab geschlossen, ist alles verloren.',
} satisfies SettingsTexts['settings'];

export const settings = {
  browserModel,
  tabModels,
  local,
  openRouter,
  settingsPages,
  config,
  settings: settingsTexts,

  host: {
    hosts: 'Hosts, die Programme erreichen dürfen',
    hostsHint:
      'Einer pro Zeile, z. B. api.example.com, example.com:8443 oder *.example.com. Code in einem eingebetteten Arbeitsbereich kann dort anfragen und alles hinsenden, was er liest; die Berechtigung wird für den Befehl eingeholt, nicht für jede Anfrage. Nur Hosts, die sich von Webseiten lesen lassen (CORS), antworten.',
  },

  script: {
    script: 'Skript',
    hint: 'Was das Modell sagen wird, als JSON: Text und Tool-Aufrufe, Schritt für Schritt. Die Tools laufen wirklich und fragen wie gewohnt. Ein Skript mit Dateien erhält einen neuen Arbeitsbereich.',
    file: 'Datei auswählen',
    example: `{
  "version": 1,
  "title": "Eine Notiz lesen",
  "files": { "notiz.txt": "Milch kaufen\\n" },
  "turns": [
    {
      "steps": [
        { "tools": [{ "tool": "read", "input": { "filePath": "notiz.txt" } }] },
        { "text": "In der Notiz steht: Milch kaufen." }
      ]
    }
  ]
}
`,
  },

  server: {
    heading: 'Tool-Server (MCP)',
    hint: 'Server im Web, die dem Agenten weitere Tools bereitstellen. Ihre Tools fragen vor jedem Aufruf, unter dem Namen Server/Tool. Behandeln Sie, was sie zurückgeben, als nicht vertrauenswürdig.',
    list: 'Tool-Server',
    none: 'Noch keine Tool-Server.',
    state: (state: ServerState): string =>
      (SERVER_STATES[state.state] as (state: ServerState) => string)(state),
    tools: 'Tools',
    signIn: 'Anmelden',
    signInTo: (name: string) => `Bei ${name} anmelden (öffnet eine andere Seite)`,
    signOut: 'Abmelden',
    signOutOf: (name: string) => `Von ${name} abmelden`,
    again: 'Erneut verbinden',
    connectAgain: (name: string) => `${name} erneut verbinden`,
    remove: 'Entfernen',
    removeServer: (name: string) => `${name} entfernen`,
    remember: (name: string) => `Auf diesem Gerät bei ${name} angemeldet bleiben`,
    name: 'Name des Servers',
    url: 'Adresse des Servers',
    clientId: 'Client-ID, falls der Server nicht selbst eine vergibt',
    add: 'Server hinzufügen',
  },
} satisfies SettingsTexts;
