import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { decode, encode, linesIn, open, optionsOf, readAll, writing, type Writer } from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import { applyHunks, findHunk, type Text } from './hunks.ts';
import { parsePatch, reversed, type FilePatch, type Hunk } from './parse.ts';

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

/** Applies the changes of one file. `operand` is the file where the command line names it. */
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
  if (target === undefined) {
    await out.write(
      `can't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip option?\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n${countText(given.hunks.length, given)} ignored\n`,
    );
    return 1;
  }
  const say = async (text: string) => {
    if (!has.has('s')) await out.write(text);
  };
  const output = valueOf(options, 'o');
  const dry = has.has('dry-run');
  const path = call.files.resolvePath(base, target);
  const before = await textOf(call, path);
  const shown = output === undefined ? target : `${output} (read from ${target})`;
  await say(`${dry ? 'checking' : 'patching'} file ${shown}\n`);
  const fuzz = countOf(options, 'F') ?? 2;
  const isReversed = seemsApplied(before, given, fuzz) && !has.has('f');
  if (isReversed && !has.has('t')) {
    const how = has.has('N') ? 'Skipping patch.' : 'Assume -R? [n] \nApply anyway? [n] \nSkipping patch.';
    const saved = dry ? '' : ` -- saving rejects to file ${target}.rej`;
    await out.write(`${APPLIED_BEFORE}  ${how}\n${countText(given.hunks.length, given)} ignored${saved}\n`);
    if (!dry) await reject(call, options, base, target, given, given.hunks);
    return 1;
  }
  if (isReversed) await out.write(`${APPLIED_BEFORE}  Assuming -R.\n`);
  const patch = isReversed ? reversed(given) : given;
  const { text, failed, messages, hasMoved } = applyHunks(before, patch.hunks, fuzz);
  for (const message of messages) await say(message);
  if (!dry) {
    if ((has.has('b') || (hasMoved && has.has('backup-if-mismatch'))) && (await call.files.exists(path)))
      await call.files.cp(path, `${path}${valueOf(options, 'z') ?? '.orig'}`);
    const removes = given.newName === '/dev/null' || has.has('E');
    await store(call, output === undefined ? path : call.path(output), text, removes, output === undefined);
  }
  if (failed.length === 0) return 0;
  const saved = dry ? '' : ` -- saving rejects to file ${valueOf(options, 'r') ?? `${target}.rej`}`;
  await out.write(`${countText(failed.length, patch)} FAILED${saved}\n`);
  if (!dry) {
    if (output === undefined && (await call.files.exists(path)))
      await call.files.writeFile(`${path}.orig`, bytesOf(before));
    await reject(call, options, base, target, patch, failed);
  }
  return 1;
}

const APPLIED_BEFORE = 'Reversed (or previously applied) patch detected!';

function countText(count: number, { hunks }: FilePatch): string {
  return `${count} out of ${hunks.length} hunk${hunks.length === 1 ? '' : 's'}`;
}

/** Whether the first change does not fit, or would make a file that is there, and its reverse fits. */
function seemsApplied(before: Text, patch: FilePatch, fuzz: number): boolean {
  const [first] = patch.hunks;
  const [back] = reversed(patch).hunks;
  if (!first || !back) return false;
  const isCreation = patch.oldName === '/dev/null' && before.lines.length > 0;
  if (!isCreation && findHunk(before, first, 0, fuzz)) return false;
  return findHunk(before, back, 0, 0) !== undefined;
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
