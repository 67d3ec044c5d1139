import type { SettingsTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

export const settingsPages = {
  names: {
    models: 'Modelle',
    permissions: 'Berechtigungen',
    workspace: 'Arbeitsbereich',
    tools: 'Tools und Server',
    appearance: 'Darstellung',
    storage: 'Speicher',
    about: 'Über Vitrine',
  },
  list: 'Seiten',
  page: 'Seite',
  search: 'Einstellungen durchsuchen',
  found: (n: number) =>
    plural(n, { one: '1 Einstellung gefunden', other: `${formatNumber(n)} Einstellungen gefunden` }),
  nothing: 'Das steht in keinem Namen und keiner Beschreibung. Versuchen Sie ein anderes Wort.',
  noModel:
    'Die Nachricht wurde nicht gesendet, weil noch kein Modell eingerichtet ist. Sie steht noch im Nachrichtenfeld: Wählen Sie hier ein Modell und senden Sie sie dann. Ein Shell-Befehl, der mit „!“ beginnt, braucht keines.',
  noModelAgain:
    'Die Nachricht wurde nicht gesendet, weil noch kein Modell eingerichtet ist. Die Unterhaltung ist unverändert, und ein Text, den Sie bearbeitet haben, ist noch da: Wählen Sie hier ein Modell und versuchen Sie es dann noch einmal.',
  noModelFree: 'Diese Möglichkeiten kosten nichts:',
  noPage: (name: string) => `In den Einstellungen gibt es keine Seite „${name}“. Das sind die Seiten:`,
  deleting: 'Sitzungen und Arbeitsbereiche löschen Sie in ihren Menüs in der Liste der Sitzungen.',
  also: {
    model: 'Assistent, KI, LLM, GPT, Chat, Preis, Kosten, kostenlos, Bild, Foto, sehen',
    provider:
      'Unternehmen, Firma, Dienst, Konto, OpenAI, Anthropic, Claude, Google, Gemini, OpenRouter, Ollama, lokal',
    baseURL: 'Server, Endpunkt, Host, URL, Adresse, Proxy, lokal, Port',
    local: 'lokal, localhost, Server, kostenlos, privat, offline',
    apiKey: 'Schlüssel, Key, Token, Passwort, Kennwort, Zugangsdaten, Konto, Login, anmelden',
    saved: 'Profile, Standard, wechseln, löschen',
    small: 'billig, schnell, Titel, Zusammenfassung, Preis, Kosten',
    titles: 'Titel, umbenennen',
    summaries: 'komprimieren, kürzen, Tokens, Gedächtnis, kompakt',
    permissions:
      'Erlaubnis, erlauben, genehmigen, bestätigen, Sicherheit, Rechte, Zugriff, Modus, Freigabe, fragen, ablehnen, zulassen, Bypass',
    rules: 'Regeln, gemerkt, löschen, entfernen, zurücksetzen, vergessen, exportieren, importieren',
    config: 'opencode.json, AGENTS.md, Regeln, Anweisungen, Befehle, Agenten, Systemprompt',
    containers: 'WebContainer, Node, StackBlitz, Sandbox',
    tools: 'Funktionen, LSP, Plugins, experimentell',
    servers: 'MCP, verbinden, Plugin, Erweiterung, Integration',
    proxy: 'CORS, Internet, abrufen, Netzwerk, Website',
    exa: 'Suche, suchen, Internet, Google',
    github: 'Git, Repository, klonen, Push, Pull Request, privat',
    hosts: 'Netzwerk, Internet, Firewall, Domain, npm, Registry, erlauben, URL',
    secrets: 'Umgebungsvariable, env, Token, Passwort, Schlüssel, Zugangsdaten',
    look: 'Aussehen, Design, Anzeige, Ansicht, Oberfläche, Layout',
    language: 'Sprache, Übersetzung, Deutsch, Englisch',
    theme: 'Erscheinungsbild, Theme, Dunkelmodus, Nachtmodus, dunkel, hell, Farbe, Farben, Hintergrund',
    contrast: 'Barrierefreiheit, Lesbarkeit, Sehschwäche',
    textSize: 'Schrift, Schriftgröße, Schriftart, Buchstaben, Zoom, größer, kleiner',
    codeSize: 'Schrift, Schriftgröße, Monospace, Editor, Zoom',
    density: 'Abstand, Abstände, kompakt, eng',
    keys: 'Tastatur, Tastenkürzel, Kürzel, Kurzbefehl, Shortcut, Taste, Tasten, Tastenbelegung',
    hidden: 'Benachrichtigung, Hinweis, Push, Erinnerung, Meldung',
    notifications: 'Benachrichtigung, benachrichtigen, Hinweis, Push, Desktop, Erlaubnis',
    sound: 'Ton, Töne, Audio, Klang, Geräusch, Lautstärke, stumm, leise, Benachrichtigung',
    storage:
      'Speicherplatz, löschen, entfernen, leeren, zurücksetzen, Daten, Festplatte, Platz, Kontingent, Cache, Cookies, Verlauf, Datenschutz, Sicherung',
    offline: 'installieren, App, PWA, Netzwerk, Internet, herunterladen, Cache',
    about: 'Version, Hilfe, Lizenz, Datenschutz, Aktualisierung, Update',
  },
  provider: 'Wer antwortet: ein Unternehmen, ein eigener Server, ein Skript oder Sie.',
  baseURL: 'Wohin Anfragen gehen. Nur ein Proxy oder ein eigener Server braucht eine andere Adresse.',
  key: 'Zeigt dem Anbieter, dass Anfragen von Ihnen kommen; er stellt sie Ihnen in Rechnung.',
  model: 'Der Name, den der Anbieter ihm gibt.',
  free: (name: string) => `kostenlos · ${name}`,
  saved: 'Ihre Modelle',
  savedHint:
    'Das markierte bekommt Ihre Prompts. Über das Menü am Nachrichtenfeld bekommt eine Sitzung ein anderes.',
  noKey: 'kein Schlüssel',
  forget: 'Entfernen',
  forgetNamed: (model: string) => `${model} entfernen`,
  small: 'Für Titel und Zusammenfassungen',
  smallOfSession: 'Dasselbe wie die Sitzung',
  smallHint: 'Zum Benennen und Zusammenfassen von Sitzungen genügt ein kleines, günstiges.',
  language: 'Die Sprache der Seite. Modelle antworten in der Sprache, in der Sie schreiben.',
  theme: 'Hell, dunkel oder wie im System.',
  contrast: 'Kräftigere Linien und Text, der sich stärker abhebt.',
  textSize: 'Alles außer Code.',
  codeSize: 'Code, Ausgaben und das Terminal.',
  density: 'Der Abstand zwischen Zeilen und Schaltflächen.',
  showKeys: 'Alle Tastenkombinationen zeigen',
  notifications: 'Eine Meldung des Browsers; keine, solange Sie diesen Tab sehen.',
  sound: 'Ein kurzer Ton; keiner, solange Sie diesen Tab sehen.',
  serverName: 'So heißen seine Tools: Server/Tool.',
  serverURL: 'Wo er antwortet; sie endet oft auf /mcp.',
  serverClient: 'Nur ein Server mit Anmeldung, der selbst keine IDs vergibt, braucht eine.',
  secretName: 'So nennen ihn Dateien und Tools.',
  secretValue: 'Gespeichert wird er niemandem mehr gezeigt.',
  keep: 'Wenn aus, ist er weg, sobald dieser Tab geschlossen wird.',
  tools: {
    'experimental.batch_tool':
      'Der Agent kann mehrere Aufrufe auf einmal senden; jeder wird für sich beurteilt.',
    'experimental.lsp_tool': 'Der Agent kann nach Definitionen, Verweisen und Fehlern fragen.',
    'lsp.after_changes': 'Der Agent kann sie gleich beheben; jede Mitteilung kostet einige Tokens.',
  },
  permissions: {
    bash: 'Befehle der Shell und die Programme, die sie starten.',
    codesearch: 'Suchwörter gehen an GitHub.',
    edit: 'Der Agent legt Dateien des Arbeitsbereichs an, ändert und löscht sie.',
    glob: 'Der Agent findet Dateien des Arbeitsbereichs nach ihrem Namen.',
    grep: 'Der Agent findet Text in den Dateien des Arbeitsbereichs.',
    list: 'Der Agent sieht, welche Dateien und Ordner ein Ordner enthält.',
    lsp: 'Der Agent fragt nach Definitionen, Verweisen und Fehlern.',
    preview: 'Der Agent öffnet Seiten des Arbeitsbereichs, liest sie, klickt und tippt.',
    read: 'Was der Agent liest, geht an das Modell.',
    skill: 'Der Agent lädt Anweisungen für eine Art von Aufgabe.',
    task: 'Ein Subagent bearbeitet eine eigene Aufgabe; auch das kostet Tokens.',
    webfetch: 'Seiten werden aus dem Web geladen; deren Server sehen die Anfrage.',
    websearch: 'Suchwörter gehen an einen Suchdienst, Exa.',
    doom_loop: 'Der Agent wiederholt sich, und jede Wiederholung kostet Tokens.',
    secret: 'Eine Anfrage an diesen Host enthält dann das Secret.',
  },
  aboutText:
    'Ein Coding-Agent, der in diesem Tab läuft. Es gibt keinen Server: Was Sie tun, bleibt in diesem Browser.',
  build: (id: string) => `Build ${id}`,
} satisfies SettingsTexts['settingsPages'];

export const local = {
  heading: 'Auf diesem Computer',
  hint: 'Ollama, LM Studio, llama.cpp, vLLM und Jan werden an ihren üblichen Ports nach ihren Modellen gefragt. Vor dem Klick wird nichts gefragt.',
  look: 'Auf diesem Computer nach Modellen suchen',
  looking: 'Fünf Ports werden gefragt …',
  found: (n: number) =>
    n === 0
      ? 'Kein Server hat Modelle angeboten.'
      : plural(n, {
          one: '1 Server bietet Modelle an.',
          other: `${formatNumber(n)} Server bieten Modelle an.`,
        }),
  modelsOf: (server: string) => `Angeboten von ${server}`,
  take: (model: string) => `${model} verwenden`,
  taken: (model: string) => `Prompts gehen jetzt an ${model}.`,
  silent: (n: number) =>
    plural(n, { one: 'An 1 Port antwortet nichts', other: `An ${formatNumber(n)} Ports antwortet nichts` }),
} satisfies SettingsTexts['local'];

export const openRouter = {
  heading: 'Kostenlose Modelle von OpenRouter',
  hint: 'Sie melden sich in diesem Tab auf openrouter.ai an und kommen mit einem Schlüssel zurück. Modelle, die nichts kosten, stehen in der Liste zuerst. Wer ein solches betreibt, kann behalten, was Sie ihm senden. Eine laufende Runde wird hier gestoppt.',
  signIn: 'Bei OpenRouter anmelden',
  signOut: 'Von OpenRouter abmelden',
  revoke:
    'Mit dem Abmelden wird der Schlüssel hier vergessen. Wertlos wird er erst, wenn Sie ihn dort löschen:',
  working: 'Anmeldung läuft …',
  leaving: 'Weiter zu openrouter.ai …',
  signedIn: (model: string) => `Sie sind angemeldet. Prompts gehen an ${model}, das nichts kostet.`,
  signedOut: 'Der Schlüssel ist hier vergessen.',
  keyHere: 'Sie sind angemeldet, und der Schlüssel bleibt für diesen Tab. Nur die Liste der Modelle fehlt.',
  again: 'Erneut versuchen',
} satisfies SettingsTexts['openRouter'];

export const browserModel = {
  heading: 'In diesem Browser',
  hint: 'Manche Browser bringen ein kleines Sprachmodell mit. Es läuft auf diesem Computer: Nichts wird an jemanden gesendet, es braucht keinen Schlüssel und kommt ohne Netz aus.',
  expect:
    'Es liest nur wenig und bekommt nur vier Tools. Kleine Modelle benutzen Tools oft falsch; wie gut dieses ist, wurde nicht gemessen.',
  states: {
    none: 'Dieser Browser hat kein solches Modell, das Seiten benutzen können. Chrome ab Version 148 auf einem Computer kann eines haben.',
    unavailable:
      'Dieser Browser hat ein solches Modell und meldet, dass es hier nicht laufen kann. Chrome verlangt 22 GB freien Speicherplatz sowie 16 GB Arbeitsspeicher oder eine Grafikkarte mit mehr als 4 GB.',
    downloadable:
      'Dieser Browser hat ein solches Modell und würde es zuerst herunterladen. Wie groß es ist, verrät er nicht; Chrome verlangt 22 GB freien Speicherplatz. Es gelten die Bedingungen des Browser-Herstellers.',
    downloading: 'Der Browser lädt das Modell gerade herunter.',
    available:
      'Das Modell ist da. Es gehört dem Browser, der es für alle Websites nutzt und in seinen eigenen Einstellungen entfernt.',
  },
  looking: 'Der Browser wird gefragt …',
  download: 'Herunterladen',
  join: 'Fortschritt anzeigen',
  stop: 'Nicht länger warten',
  progress: 'Herunterladen des Modells',
  percent: (percent: number) => `${formatNumber(percent)} %`,
  use: 'Das Modell dieses Browsers verwenden',
  used: 'Prompts gehen jetzt an das Modell dieses Browsers.',
} satisfies SettingsTexts['browserModel'];

export const tabModels = {
  heading: 'Kleine offene Modelle in diesem Tab',
  hint: 'Die Seite kann selbst ein kleines offenes Modell ausführen, in einem Frame ohne Netz und ohne Ihre Daten. Seine Dateien werden einmal von huggingface.co geladen und bleiben in diesem Browser; danach wird nichts mehr an jemanden gesendet, und es läuft ohne Netz.',
  expect:
    'Erwarten Sie wenig: Solche Modelle benutzen Tools oft falsch, bekommen nur vier davon und vergessen, was lang ist. Wie gut sie hier sind, hat niemand gemessen. Jeder Schritt liest die ganze Unterhaltung noch einmal; auf einem Prozessor kann das Minuten dauern.',
  onGraphics:
    'Hier wurde eine Grafikkarte gefunden, und sie wird benutzt. Die Macher dieser Seite haben das nicht ausprobiert.',
  onProcessor:
    'Hier wurde keine Grafikkarte gefunden, die Modelle nutzen können. Ein Prozessorkern macht die Arbeit, und zwar langsam.',
  list: 'Modelle zum Herunterladen',
  facts: (millions: string, megabytes: string, licence: string, memory: string) =>
    `${millions} Millionen Parameter; ${megabytes} MB herunterzuladen; läuft mit etwa ${memory} GB Arbeitsspeicher (geschätzt); Lizenz ${licence}`,
  unverified: 'Größen und Lizenzen laut den Seiten der Anbieter; hier nicht geprüft.',
  page: (name: string) => `Seite von ${name}`,
  download: (name: string) => `${name} herunterladen`,
  goOn: (name: string) => `${name} weiter herunterladen`,
  stop: 'Anhalten',
  progress: (name: string) => `Herunterladen von ${name}`,
  amount: (done: string, total: string) => `${done} von ${total}`,
  kept: 'Modelle in diesem Browser',
  partly: (size: string) => `bisher ${size}`,
  use: (name: string) => `${name} verwenden`,
  used: (name: string) => `Prompts gehen jetzt an ${name} in diesem Tab.`,
  remove: (name: string) => `${name} entfernen`,
  removed: (name: string) => `${name} ist aus diesem Browser entfernt.`,
  own: 'Eigene Dateien',
  ownHint:
    'Ein Ordner mit einem Modell wie auf Hugging Face: config.json, tokenizer.json, tokenizer_config.json und onnx/model….onnx. Die Dateien werden in diesen Browser kopiert; gesendet wird nichts.',
  folder: 'Ordner eines Modells auswählen',
  files: 'Oder seine Dateien auswählen, wo keine Ordner wählbar sind',
  taken: 'Das Modell ist jetzt in diesem Browser.',
} satisfies SettingsTexts['tabModels'];
