import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const FILE = 'licences.txt';
/** Matches the names of files with a package's licence and third-party notices. */
const LICENCE = /^(licen[cs]e|copying|notice|third-?party-?notices?)/i;

/** The folders of all packages with code in any script of this build. */
const bundled = new Set<string>();

/** Returns the folder of a module's package, or undefined for code of this repository. */
export function packageFolder(id: string): string | undefined {
  const file = id.replace(/^\0(?:[\w-]+:)?/, '').split('?')[0] ?? '';
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1];
  return found !== undefined && existsSync(path.join(found, 'package.json')) ? found : undefined;
}

/** Records a package whose files the site contains as they are. */
export function notePackage(folder: string): void {
  bundled.add(folder);
}

/**
 * Records the packages in a build's scripts. The page, its workers and the guest's scripts are built apart.
 */
export function bundledPackages(): Plugin {
  return {
    name: 'vitrine:bundled-packages',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const id of output.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) bundled.add(folder);
        }
      }
    },
  };
}

/** Writes `licences.txt`: the notices of every package whose code the site contains. The page is built last. */
export function licenceNotices(): Plugin {
  return {
    name: 'vitrine:licence-notices',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler() {
        this.emitFile({ type: 'asset', fileName: FILE, source: noticesOf([...bundled]) });
      },
    },
  };
}

/** Returns the text of the file. Throws for a package without a licence. */
export function noticesOf(folders: readonly string[]): string {
  const notices = new Map(folders.map((folder) => noticeOf(folder)));
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1));
  const own = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8').trim();
  const intro = `Vitrine\n\n${own}\n\nIt contains code of these packages:\n${sorted.map(([title]) => `- ${title}`).join('\n')}`;
  const rule = '-'.repeat(80);
  return [intro, ...sorted.map(([title, text]) => `${title}\n\n${text}`)].join(`\n\n${rule}\n\n`) + '\n';
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly repository?: string | { readonly url: string };
}

function noticeOf(folder: string): readonly [title: string, text: string] {
  const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageFile;
  const { name, version, license = 'licence below', author, repository } = about;
  const sources = [
    textsIn,
    textInReadme,
    textsOfScope,
    () => textsByCopyright(name),
    () => textsByName(license),
  ];
  const texts = sources.map((find) => find(folder)).find(({ length }) => length > 0) ?? [];
  if (texts.length === 0)
    throw new Error(`${name} ${version} has no licence text: look at it before it is shipped`);
  const by = typeof author === 'object' ? author.name : author;
  const from = typeof repository === 'object' ? repository.url : repository;
  const facts = [by && `By ${by}`, from].filter(Boolean).join('\n');
  return [`${name} ${version} (${license})`, [facts, ...texts].filter(Boolean).join('\n\n')];
}

/** Licences of lists, whose packages name them and bring no text. They ask for their address instead. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'CC-BY-3.0': 'https://creativecommons.org/licenses/by/3.0/legalcode',
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/legalcode',
};

/** A package that brings the text of the licence, which is the same for all packages that only name it. */
const APACHE = new URL('../node_modules/typescript/LICENSE.txt', import.meta.url);

function textsByName(license: string): readonly string[] {
  if (license === 'Apache-2.0') return [readFileSync(APACHE, 'utf8').trim()];
  const address = ADDRESSES[license];
  return address === undefined ? [] : [`${license}: ${address}`];
}

const ONNX_RUNTIME = 'Copyright (c) 2018 - present Microsoft Corporation';

/** Packages under the MIT licence without its text, with what their repositories say. */
const COPYRIGHTS: Readonly<Record<string, string>> = {
  'onnxruntime-common': ONNX_RUNTIME,
  'onnxruntime-web': `${ONNX_RUNTIME}\nThird-party notices: https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt`,
};

/** A package that brings the text of the MIT licence, which is the same for all but this line. */
const MIT = new URL('../node_modules/zod/LICENSE', import.meta.url);

function textsByCopyright(name: string): readonly string[] {
  const copyright = COPYRIGHTS[name];
  if (copyright === undefined) return [];
  return [
    readFileSync(MIT, 'utf8')
      .trim()
      .replace(/^Copyright.*$/m, copyright),
  ];
}

function textsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(path.join(folder, entry.name), 'utf8').trim());
}

/** Some packages have the text of their licence at the end of their README only. */
function textInReadme(folder: string): readonly string[] {
  const name = readdirSync(folder).find((each) => /^readme\.md$/i.test(each));
  if (name === undefined) return [];
  const [, text] = readFileSync(path.join(folder, name), 'utf8').split(/^#+ licen[cs]e\s*$/im);
  return text !== undefined && /copyright/i.test(text) ? [text.trim()] : [];
}

/** Some scopes, such as @ai-sdk, include the licence in only one of their packages. */
function textsOfScope(folder: string): readonly string[] {
  const scope = path.dirname(folder);
  if (!path.basename(scope).startsWith('@')) return [];
  const others = readdirSync(scope).map((name) => textsIn(path.join(scope, name)));
  return others.find((texts) => texts.length > 0) ?? [];
}
