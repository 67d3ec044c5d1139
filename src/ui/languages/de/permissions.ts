/** The texts about a permission; the English ones are in the manifests of the tools. */
interface PermissionTexts {
  readonly question?: string;
  readonly label?: string;
  readonly asksByDefault?: string;
  readonly anything?: string;
}

/** Keyed by the id of the permission. Permissions of other people's tools are not here. */
export const permissions: Readonly<Record<string, PermissionTexts | undefined>> = {
  bash: {
    question: 'einen Befehl ausführen',
    label: 'Befehle ausführen',
    asksByDefault: 'Bei Befehlen wird standardmäßig gefragt.',
    anything: 'beliebige Befehle',
  },
  codesearch: {
    question: 'öffentlichen Code durchsuchen',
    label: 'Öffentlichen Code durchsuchen',
    asksByDefault: 'Vor dem Durchsuchen von öffentlichem Code wird standardmäßig gefragt.',
  },
  edit: {
    question: 'eine Datei ändern',
    label: 'Dateien ändern',
    asksByDefault: 'Vor dem Ändern von Dateien wird standardmäßig gefragt.',
    anything: 'Änderungen an beliebigen Dateien',
  },
  glob: { question: 'nach Dateinamen suchen', label: 'Nach Dateinamen suchen' },
  grep: { question: 'in Dateien suchen', label: 'In Dateien suchen' },
  list: { question: 'einen Ordner auflisten', label: 'Ordner auflisten', anything: 'beliebige Ordner' },
  lsp: { question: 'Fragen zum Code stellen', label: 'Fragen zum Code stellen' },
  preview: {
    question: 'die Vorschau verwenden',
    label: 'Die Vorschau verwenden',
    asksByDefault: 'Bei Code in einer Seite wird standardmäßig gefragt.',
    anything: 'alles in der Vorschau',
  },
  read: {
    question: 'eine Datei lesen',
    label: 'Dateien lesen',
    asksByDefault: 'Bei Dateien wie dieser wird standardmäßig gefragt.',
    anything: 'das Lesen beliebiger Dateien',
  },
  skill: { question: 'einen Skill verwenden', label: 'Skills verwenden' },
  task: {
    question: 'einem Subagenten einen Auftrag geben',
    label: 'Subagenten Aufträge geben',
  },
  webfetch: {
    question: 'eine Seite abrufen',
    label: 'Seiten abrufen',
    asksByDefault: 'Vor dem Abrufen von Seiten wird standardmäßig gefragt.',
    anything: 'beliebige Seiten',
  },
  websearch: {
    question: 'im Web suchen',
    label: 'Im Web suchen',
    asksByDefault: 'Vor einer Websuche wird standardmäßig gefragt.',
  },
  doom_loop: {
    question: 'trotz vermuteter Schleife weitermachen',
    label: 'Trotz vermuteter Schleife weitermachen',
    asksByDefault: 'Bei vermuteten Schleifen wird standardmäßig gefragt.',
  },
  external_directory: { question: 'außerhalb des Arbeitsbereichs lesen' },
  secret: { label: 'Einem Host ein Secret geben' },
};
