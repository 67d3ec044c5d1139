import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { decode, encode, linesIn, open, optionsOf, readAll, writing, type Writer } from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import { parsePatch, reversed, type FilePatch, type Hunk, type PatchLine } from './parse.ts';

const SPEC = {
  short: 'p:Ri:o:d:bNfstEF:r:unclz:V:',
  long: [
    'strip=p',
    'reverse=R',
    'input=i',
    'output=o',
    'directory=d',
    'backup=b',
    'forward=N',
    'force=f',
    'silent=s',
    'quiet=s',
    'batch=t',
    'remove-empty-files=E',
    'fuzz=F',
    'reject-file=r',
    'unified=u',
    'normal=n',
    'context=c',
    'ignore-whitespace=l',
    'suffix=z',
    'dry-run',
    'posix',
    'version',
    'verbose',
    'no-backup-if-mismatch',
    'backup-if-mismatch',
  ],
};

/** Applies diffs to files. */
export const patch = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 2);
  if (options.has.has('version')) return (await out.write('GNU patch 2.7.6\n'), 0);
  const folder = valueOf(options, 'd');
  const base = folder === undefined ? call.cwd : call.path(folder);
  const [operand, second] = options.operands;
  const input = valueOf(options, 'i') ?? second ?? '-';
  const source = input === '-' ? call.stdin : await open(call, input, 2);
  const patches = parsePatch(decode(await readAll(source, out)));
  if (patches.length === 0) throw new Complaint('**** Only garbage was found in the patch input.', 2);
  let code = 0;
  for (const one of patches) {
    const applied = options.has.has('R') ? reversed(one) : one;
    const result = await applyTo(call, out, options, base, applied, operand);
    code = Math.max(code, result);
  }
  return code;
});

async function exists(call: ProgramCall, base: string, name: string): Promise<boolean> {
  return call.files.exists(call.files.resolvePath(base, name));
}

function stripped(name: string, count: number | undefined): string {
  if (name === '' || name === '/dev/null') return name;
  if (count === undefined) return name.slice(name.lastIndexOf('/') + 1);
  return name.split(/\/+/).slice(count).join('/');
}

async function targetOf(
  call: ProgramCall,
  options: Options,
  base: string,
  { oldName, newName, index }: FilePatch,
): Promise<string | undefined> {
  const count = countOf(options, 'p');
  const names = [oldName, newName, index].map((name) => stripped(name, count));
  const real = names.filter((name) => name !== '' && name !== '/dev/null');
  for (const name of real) if (await exists(call, base, name)) return name;
  return names[0] === '/dev/null' || oldName === '/dev/null' ? real[0] : undefined;
}

interface Text {
  lines: string[];
  /** Whether the last line has a line end. */
  ended: boolean;
}

async function applyTo(
  call: ProgramCall,
  out: Writer,
  options: Options,
  base: string,
  given: FilePatch,
  operand: string | undefined,
): Promise<number> {
  const { has } = options;
  const target = operand ?? (await targetOf(call, options, base, given));
  const say = async (text: string) => {
    if (!has.has('s')) await out.write(text);
  };
  if (target === undefined) {
    await out.write(
      `can't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip option?\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n${given.hunks.length} out of ${given.hunks.length} hunk${given.hunks.length === 1 ? '' : 's'} ignored\n`,
    );
    return 1;
  }
  const output = valueOf(options, 'o');
  const dry = has.has('dry-run');
  const path = call.files.resolvePath(base, target);
  const before = await textOf(call, path);
  await say(
    `${dry ? 'checking' : 'patching'} file ${output === undefined ? target : `${output} (read from ${target})`}\n`,
  );
  let patch = given;
  const fuzz = countOf(options, 'F') ?? 2;
  let text: Text = { lines: [...before.lines], ended: before.ended };
  const [first] = patch.hunks;
  const isCreation = given.oldName === '/dev/null' && before.lines.length > 0;
  if (first && (isCreation || !find(text, first, 0, fuzz))) {
    const [back] = reversed(patch).hunks;
    if (back && find(text, back, 0, 0) && !has.has('f')) {
      const count = patch.hunks.length;
      const hunks = `${count} out of ${count} hunk${count === 1 ? '' : 's'} ignored`;
      if (has.has('t')) {
        await out.write('Reversed (or previously applied) patch detected!  Assuming -R.\n');
        patch = reversed(patch);
      } else {
        await out.write(
          has.has('N')
            ? 'Reversed (or previously applied) patch detected!  Skipping patch.\n'
            : 'Reversed (or previously applied) patch detected!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n',
        );
        await out.write(`${hunks}${dry ? '' : ` -- saving rejects to file ${target}.rej`}\n`);
        if (!dry) await reject(call, options, base, target, patch, patch.hunks);
        return 1;
      }
    }
  }
  const failed: Hunk[] = [];
  let offset = 0;
  let mismatch = false;
  for (const [at, hunk] of patch.hunks.entries()) {
    const place = find(text, hunk, offset, fuzz);
    if (!place) {
      failed.push(hunk);
      await say(`Hunk #${at + 1} FAILED at ${hunk.oldStart || 1}.\n`);
      continue;
    }
    text = replaced(text, hunk, place);
    const expected = startOf(hunk) + offset;
    const moved = place.line - place.skipped - startOf(hunk) - grown(patch.hunks.slice(0, at), failed);
    if (moved !== 0 || place.fuzz > 0) {
      mismatch = true;
      const where = place.line - place.skipped + 1;
      const how = place.fuzz > 0 ? ` with fuzz ${place.fuzz}` : '';
      const by = moved !== 0 ? ` (offset ${moved} line${Math.abs(moved) === 1 ? '' : 's'})` : '';
      await say(`Hunk #${at + 1} succeeded at ${where}${how}${by}.\n`);
    }
    offset += place.line - place.skipped - expected + growth(hunk);
  }
  const written = output === undefined ? path : call.path(output);
  if (!dry) {
    if ((has.has('b') || (mismatch && has.has('backup-if-mismatch'))) && (await call.files.exists(path)))
      await call.files.cp(path, `${path}${valueOf(options, 'z') ?? '.orig'}`);
    await store(call, written, text, given.newName === '/dev/null' || has.has('E'), output === undefined);
  }
  if (failed.length === 0) return 0;
  const saved = dry ? '' : ` -- saving rejects to file ${valueOf(options, 'r') ?? `${target}.rej`}`;
  await out.write(
    `${failed.length} out of ${patch.hunks.length} hunk${patch.hunks.length === 1 ? '' : 's'} FAILED${saved}\n`,
  );
  if (!dry) {
    if (output === undefined && (await call.files.exists(path)))
      await call.files.writeFile(`${path}.orig`, bytesOf(before));
    await reject(call, options, base, target, patch, failed);
  }
  return 1;
}

function growth(hunk: Hunk): number {
  return hunk.lines.reduce((sum, { kind }) => sum + (kind === '+' ? 1 : kind === '-' ? -1 : 0), 0);
}

function grown(hunks: readonly Hunk[], failed: readonly Hunk[]): number {
  return hunks.filter((hunk) => !failed.includes(hunk)).reduce((sum, hunk) => sum + growth(hunk), 0);
}

async function textOf(call: ProgramCall, path: string): Promise<Text> {
  if (!(await call.files.exists(path))) return { lines: [], ended: true };
  try {
    return linesIn(decode(await call.files.readFileBuffer(path)));
  } catch (error) {
    throw new Complaint(`**** Can't open file ${path} : ${fileError(error)}`, 2);
  }
}

function bytesOf({ lines, ended }: Text): Uint8Array {
  return encode(lines.length === 0 ? '' : lines.join('\n') + (ended ? '\n' : ''));
}

async function store(
  call: ProgramCall,
  path: string,
  text: Text,
  removes: boolean,
  inPlace: boolean,
): Promise<void> {
  if (text.lines.length === 0 && removes) {
    await call.files.rm(path, { force: true });
    return;
  }
  const mode = inPlace
    ? await call.files.stat(path).then(
        (stat) => stat.mode,
        () => undefined,
      )
    : undefined;
  await call.files.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
  await call.files.writeFile(path, bytesOf(text));
  if (mode !== undefined) await call.files.chmod(path, mode & 0o7777);
}

async function reject(
  call: ProgramCall,
  options: Options,
  base: string,
  target: string,
  patch: FilePatch,
  hunks: readonly Hunk[],
): Promise<void> {
  const name = valueOf(options, 'r') ?? `${target}.rej`;
  if (name === '-') return;
  const text = hunks.map((hunk) => {
    const count = (kind: '-' | '+') =>
      hunk.lines.filter((line) => line.kind === ' ' || line.kind === kind).length;
    const range = (start: number, lines: number) => (lines === 1 ? `${start}` : `${start},${lines}`);
    const body = hunk.lines.map(
      ({ kind, text, open }) => `${kind}${text}\n${open ? '\\ No newline at end of file\n' : ''}`,
    );
    return `@@ -${range(hunk.oldStart, count('-'))} +${range(hunk.newStart, count('+'))} @@\n${body.join('')}`;
  });
  const head = `--- ${patch.oldName || target}\n+++ ${patch.newName || target}\n`;
  await call.files.writeFile(call.files.resolvePath(base, name), encode(head + text.join('')));
}

interface Place {
  /** The line where the hunk matches, from 0, after the context lines that fuzz skipped. */
  readonly line: number;
  readonly skipped: number;
  readonly fuzz: number;
  readonly old: readonly PatchLine[];
}

/** The line at which a hunk says it begins, from 0. */
function startOf(hunk: Hunk): number {
  const old = hunk.lines.filter(({ kind }) => kind !== '+');
  return old.length === 0 ? hunk.oldStart : hunk.oldStart - 1;
}

function find(text: Text, hunk: Hunk, offset: number, maxFuzz: number): Place | undefined {
  const old = hunk.lines.filter(({ kind }) => kind !== '+');
  const contextBefore = hunk.lines.findIndex(({ kind }) => kind !== ' ');
  const contextAfter = hunk.lines.length - 1 - hunk.lines.findLastIndex(({ kind }) => kind !== ' ');
  for (let fuzz = 0; fuzz <= Math.min(maxFuzz, Math.max(contextBefore, contextAfter)); fuzz++) {
    const skipped = Math.min(fuzz, contextBefore);
    const wanted = old.slice(skipped, old.length - Math.min(fuzz, contextAfter));
    const expected = startOf(hunk) + offset + skipped;
    const most = text.lines.length - wanted.length;
    for (let distance = 0; distance <= text.lines.length; distance++) {
      for (const line of distance === 0 ? [expected] : [expected + distance, expected - distance]) {
        if (line < 0 || line > most || !fits(text, wanted, line)) continue;
        // A hunk with less context after than before belongs to the end of the file.
        if (
          fuzz === 0 &&
          old.length > 0 &&
          contextBefore > contextAfter &&
          line + wanted.length !== text.lines.length
        )
          continue;
        return { line, skipped, fuzz, old: wanted };
      }
    }
  }
  return undefined;
}

function fits(text: Text, wanted: readonly PatchLine[], line: number): boolean {
  return wanted.every((one, at) => one.text === text.lines[line + at]);
}

function replaced(text: Text, hunk: Hunk, { line, skipped, old }: Place): Text {
  const lines: string[] = [];
  let taken = 0;
  let passed = 0;
  let ended = text.ended;
  let openEnd: boolean | undefined;
  for (const one of hunk.lines) {
    if (one.kind === '+') {
      lines.push(one.text);
      openEnd = one.open === true;
      continue;
    }
    if (passed++ < skipped) continue;
    if (taken >= old.length) continue;
    taken++;
    if (one.kind === ' ') {
      lines.push(one.text);
      openEnd = one.open === true;
    }
  }
  const isLast = line + old.length >= text.lines.length;
  if (isLast && openEnd !== undefined) ended = !openEnd;
  return { lines: [...text.lines.slice(0, line), ...lines, ...text.lines.slice(line + old.length)], ended };
}
