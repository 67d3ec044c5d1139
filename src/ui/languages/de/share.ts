import { bytes } from '../../format.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

const of = (n: number, one: string, other: string) => `${formatNumber(n)} ${plural(n, { one, other })}`;

export const share = {
  title: 'Teilen',
  about:
    'Wer den Link oder die Datei hat, sieht, was hier aufgeführt ist. Dafür muss nichts installiert werden, und es braucht keinen Schlüssel.',
  aboutLesson:
    'Wer den Link hat, kann diese Lektion machen. Dafür muss nichts installiert werden, und es braucht keinen Schlüssel.',
  preparing: 'Wird vorbereitet',
  stages: {
    reading: 'Die Sitzung wird gelesen …',
    writing: 'Die Datei wird geschrieben …',
    linking: 'Der Link wird erstellt …',
  },
  goesAlong: 'Das wird geteilt',
  always: (messages: number, calls: number) =>
    `${of(messages, 'Nachricht', 'Nachrichten')} und ${of(calls, 'Tool-Aufruf', 'Tool-Aufrufe')} mit Argumenten und Ergebnissen`,
  parts: {
    files: (n: number) => `Dateien: ${formatNumber(n)}, wie sie am Anfang und nach jedem Aufruf waren`,
    outputs: (n: number) => `Voller Text langer Ausgaben: ${formatNumber(n)}`,
    pictures: (n: number) => `Bilder und Anhänge: ${formatNumber(n)}`,
    requests: (n: number) => `Was an das Modell ging: ${of(n, 'Anfrage', 'Anfragen')}`,
    preview: (n: number) => `Was die Vorschau gemeldet hat: ${of(n, 'Zeile', 'Zeilen')}`,
  },
  filesStay: 'Was der Agent gelesen oder geschrieben hat, steht trotzdem in seinen Aufrufen.',
  secrets: (n: number) =>
    n === 0
      ? 'Es wurden keine Schlüssel oder Tokens erkannt.'
      : `Schlüssel und Tokens wurden entfernt: An ihrer Stelle steht ${n === 1 ? 'einmal' : `${formatNumber(n)}-mal`} „[secret]“.`,
  notRecognized: 'Namen, Adressen und Passwörter in Dateien werden nicht erkannt.',
  look: 'Vorschau auf das, was andere sehen werden',
  link: 'Ein Link',
  linkHint: 'Alles steht im Link selbst. Nichts wird hochgeladen.',
  linkNames: 'Der Link nennt die Lektion, die zu Vitrine gehört.',
  copyLink: 'Link kopieren',
  copyEmbed: 'Code zum Einbetten kopieren',
  copiedEmbed: 'Der Code wurde kopiert. Er zeigt dies in einer anderen Seite.',
  send: 'Link senden',
  copied: 'Der Link wurde kopiert.',
  length(n: number): string {
    const characters = of(n, 'Zeichen', 'Zeichen');
    if (n <= 2_000) return `${characters}: kurz genug für gängige Messenger.`;
    return `${characters}: zu lang für gängige Messenger, die ${formatNumber(2_000)} bis ${formatNumber(4_000)} je Nachricht annehmen. Teilen Sie dort die Datei.`;
  },
  leftOut: {
    between: 'Damit er passt, fehlen die Dateien zwischen den Aufrufen.',
    later: 'Damit er passt, fehlt, wie sich die Dateien nach dem Anfang geändert haben.',
    edits:
      'Damit er passt, fehlt, wie sich die Dateien nach dem Anfang geändert haben, und es fehlen bearbeitete Anfragen.',
    prompts:
      'Damit er passt, fehlt, wie sich die Dateien nach dem Anfang geändert haben und was an das Modell ging.',
  },
  fileLacks: (files: string) => `In der Datei ist kein Platz für ${files}.`,
  linkLacks: (files: string) => `Im Link ist kein Platz für ${files}.`,
  largest: (files: string) => `Am meisten Platz brauchen ${files}.`,
  tooLong: 'Zu lang für einen Link. Lassen Sie oben mehr weg oder teilen Sie die Datei.',
  file: 'Eine Datei',
  save: (size: number) => `Datei speichern (${bytes(size)})`,
  fileHint: (open: string, menu: string, beside: string) =>
    `Sie lässt sich mit „${open}“ im Menü „${menu}“ neben „${beside}“ öffnen oder auf die Seite ziehen.`,
  address: 'Eine Adresse',
  addressHint:
    'Legen Sie die Datei auf einen Server, den andere Websites lesen dürfen (CORS), und teilen Sie diesen Link zu ihr.',
  copyAddress: 'Link zu dieser Adresse kopieren',
  copyEmbedAddress: 'Code zum Einbetten dieser Adresse kopieren',
  addressField: 'Adresse der Datei',
  platform: 'Eine Lernplattform (cmi5)',
  platformHint:
    'Wer die Plattform betreibt, importiert diese Datei als Kurs. Lernende lesen die Lektion dort, und sie meldet der Plattform, wie weit sie sind.',
  platformReach: {
    computer: (host: string) =>
      `Die Datei führt zu ${host}, also zu diesem Computer: Lernende an anderen Geräten erreichen die Lektion nicht. Speichern Sie sie aus einem Vitrine im Web.`,
    network: (host: string) =>
      `Die Datei führt zu ${host}: Nur Lernende im selben Netzwerk erreichen die Lektion. Für alle anderen speichern Sie sie aus einem Vitrine im Web.`,
  },
  saveCourse: 'cmi5.xml speichern',
  notAnAddress: 'Schreiben Sie die ganze Adresse, beginnend mit https://.',
  reach: {
    computer: (host: string) =>
      `Links führen zu ${host}, also zu diesem Computer: Niemand sonst kann sie öffnen. Links, die andere öffnen können, kommen aus einem Vitrine im Web.`,
    network: (host: string) =>
      `Links führen zu ${host}: Nur Geräte im selben Netzwerk können sie öffnen. Links für alle kommen aus einem Vitrine im Web.`,
  },
  fileInstead: 'Die Datei lässt sich in jedem Vitrine öffnen.',
  tooBig:
    'Zusammen sind das über 20 MB, mehr als eine Aufzeichnung haben darf. Lassen Sie oben mehr weg: Dateien und Bilder brauchen am meisten Platz.',
  tooBigEven: (save: string) =>
    `Es sind über 20 MB, mehr als eine Aufzeichnung haben darf. „${save}“ im Menü der Sitzung speichert das Gespräch als Text.`,
} satisfies GlassTexts['share'];
