import { readFile } from 'node:fs/promises';

/** What the page says above the recording. */
export interface AboutRecording {
  readonly title: string;
  /** Why it is looked at, such as the message of the test that failed. */
  readonly reason?: string;
  /** The command that opens it in the whole app. */
  readonly command?: string;
}

/** The page without a recording, which scripts/pack-kit.mjs puts beside this script. */
const TEMPLATE = new URL('./recording.html', import.meta.url);

/** Returns a page of one file that shows a recording in the inspector: offline, and from any place. `json` is the recording. */
export async function recordingPage(json: string, about: AboutRecording): Promise<string> {
  return filled(await readFile(TEMPLATE, 'utf8'), json, about);
}

/** Pages of recordings in one folder, which share two files there. */
export interface RecordingPages {
  readonly files: Readonly<Record<string, string>>;
  page(json: string, about: AboutRecording): string;
}

/** The same page for a folder of many recordings, where its script and its styles are files of their own. */
export async function recordingPages(): Promise<RecordingPages> {
  return inFiles(await readFile(TEMPLATE, 'utf8'));
}

export function inFiles(template: string): RecordingPages {
  const [, styles = '', code = ''] = /<style>(.*?)<\/style>.*<script>(.*?)<\/script>/s.exec(template) ?? [];
  const page = template
    .replace(`<style>${styles}</style>`, '<link rel="stylesheet" href="./inspector.css" />')
    .replace(`<script>${code}</script>`, '<script src="./inspector.js"></script>')
    // A page from a folder has no origin that 'self' could be.
    .replaceAll(/'sha256-[^']+'/g, "'self' file:");
  return {
    files: { 'inspector.css': styles, 'inspector.js': code },
    page: (json, about) => filled(page, json, about),
  };
}

/** Puts texts that nobody has looked through into the page: there they can neither end their element nor begin another one. */
export function filled(template: string, json: string, about: AboutRecording): string {
  return [
    ['about', JSON.stringify(about)],
    ['recording', json],
  ].reduce((page, [id, text = '']) => {
    const start = `<script type="application/json" id="${id}">`;
    const at = page.indexOf(`${start}</script>`);
    if (at < 0) throw new Error(`The page has no place for "${id}".`);
    // In JSON, `<` stands only in strings.
    const inserted = text.replaceAll('<', String.raw`\u003c`);
    return page.slice(0, at) + start + inserted + page.slice(at + start.length);
  }, template);
}
