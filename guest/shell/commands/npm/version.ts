import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import { isSilent, type NpmOptions } from './options.ts';
import { manifestAt, type Project } from './project.ts';
import { NODE_VERSION, NPM_VERSION, runScript } from './script.ts';

const PARTS = /^[=v\s]*(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/**
 * Runs `npm version`: shows the versions at work, or sets a new version and runs its scripts. There is no git
 * to tag it in.
 */
export async function version(call: ProgramCall, folder: string, options: NpmOptions): Promise<number> {
  const [wanted, ...more] = options.words.slice(1);
  if (wanted === undefined) return versions(call, folder, options);
  if (more.length > 0)
    throw new NpmFailure(['code EUSAGE', '', 'npm version takes one version: npm version <newversion>']);
  const path = `${folder}/package.json`;
  const manifest = await manifestAt(call, folder);
  if (!manifest) throw new NpmFailure(['code ENOENT', `enoent no such file or directory, open '${path}'`]);
  const old = manifest.version ?? '0.0.0';
  const next = PARTS.test(wanted)
    ? wanted.replace(/^[=v\s]*/, '').replace(/\+.*$/, '')
    : raised(old, wanted, options.flags.get('preid'));
  if (next === undefined) throw new NpmFailure([`Invalid version: ${wanted}`]);
  if (next === old && !options.flags.has('allow-same-version')) throw new NpmFailure(['Version not changed']);
  const script = (event: string, at: string) =>
    ofVersion(call, { folder, manifest: { ...manifest, version: at } }, event, options, {
      npm_old_version: old,
      npm_new_version: next,
    });
  let code = await script('preversion', old);
  if (code !== 0) return code;
  await write(call, path, (whole) => ({ ...whole, version: next }));
  for (const lock of ['package-lock.json', 'npm-shrinkwrap.json'])
    if (await call.files.exists(`${folder}/${lock}`))
      await write(call, `${folder}/${lock}`, (whole) => locked(whole, next));
  for (const event of ['version', 'postversion']) {
    code = await script(event, next);
    if (code !== 0) return code;
  }
  await print(call, `v${next}`);
  return 0;
}

async function versions(call: ProgramCall, folder: string, options: NpmOptions): Promise<number> {
  const { name, version: own } = (await manifestAt(call, folder)) ?? {};
  const all = Object.entries({
    ...(name !== undefined && own !== undefined && { [name]: own }),
    npm: NPM_VERSION,
    node: NODE_VERSION.slice(1),
  });
  const plain = all.map(([key, value]) => `  ${/^[a-z_$][\w$]*$/i.test(key) ? key : `'${key}'`}: '${value}'`);
  const json = JSON.stringify(Object.fromEntries(all), null, 2);
  await print(call, options.flags.has('json') ? json : `{\n${plain.join(',\n')}\n}`);
  return 0;
}

/** Raises a version by a word such as `minor`; undefined for other words. */
function raised(from: string, by: string, preid: string | true | undefined): string | undefined {
  const [, ...given] = PARTS.exec(from) ?? [];
  const [major = 0, minor = 0, patch = 0] = given.slice(0, 3).map(Number);
  const pre = given[3];
  const first = typeof preid === 'string' && preid !== '' ? `${preid}.0` : '0';
  switch (by) {
    case 'major':
      return `${pre !== undefined && minor === 0 && patch === 0 ? major : major + 1}.0.0`;
    case 'minor':
      return `${major}.${pre !== undefined && patch === 0 ? minor : minor + 1}.0`;
    case 'patch':
      return `${major}.${minor}.${pre === undefined ? patch + 1 : patch}`;
    case 'premajor':
      return `${major + 1}.0.0-${first}`;
    case 'preminor':
      return `${major}.${minor + 1}.0-${first}`;
    case 'prepatch':
      return `${major}.${minor}.${patch + 1}-${first}`;
    case 'prerelease':
      if (pre === undefined) return `${major}.${minor}.${patch + 1}-${first}`;
      return `${major}.${minor}.${patch}-${nextPre(pre, first)}`;
    default:
      return undefined;
  }
}

function nextPre(pre: string, first: string): string {
  const [id = '', number] = first.split('.');
  if (number !== undefined && pre.split('.')[0] !== id) return first;
  const parts = pre.split('.');
  const last = parts.findLastIndex((part) => /^\d+$/.test(part));
  if (last < 0) return number === undefined ? `${pre}.0` : first;
  return parts.map((part, at) => (at === last ? String(Number(part) + 1) : part)).join('.');
}

async function ofVersion(
  call: ProgramCall,
  { folder, manifest }: Project,
  event: string,
  options: NpmOptions,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const command = manifest.scripts?.[event];
  if (command === undefined || command === '' || options.flags.has('ignore-scripts')) return 0;
  if (!isSilent(options)) await print(call, `\n> ${event}\n> ${command}\n`);
  return runScript(call, { command, event, asked: 'version', args: [], folder, manifest, options, env });
}

async function write(
  call: ProgramCall,
  path: string,
  changed: (whole: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const text = await call.files.readFile(path);
  const whole: unknown = JSON.parse(text);
  if (!isRecord(whole)) return;
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  await call.files.writeFile(path, `${JSON.stringify(changed(whole), null, indent)}\n`);
}

function locked(whole: Record<string, unknown>, next: string): Record<string, unknown> {
  const { packages } = whole;
  const root = isRecord(packages) ? packages[''] : undefined;
  return {
    ...whole,
    version: next,
    ...(isRecord(packages) && isRecord(root)
      ? { packages: { ...packages, '': { ...root, version: next } } }
      : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
