import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, optionsOf, readAll, open, writing, type Writer } from '../../kit/io.ts';
import { changedMode } from '../../kit/mode.ts';
import { valueOf } from '../../kit/options.ts';
import { needFolderOf, pairsOf } from './places.ts';

const USUAL = 0o755;

/** Copies files to their place of use and sets their permissions; `-d` creates folders. */
export const install = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'bcCdDg:m:o:psS:t:TvZ',
    long: [
      ...['compare=C', 'directory=d', 'group=g', 'mode=m', 'owner=o', 'preserve-timestamps=p', 'strip=s'],
      ...['target-directory=t', 'no-target-directory=T', 'verbose=v', 'backup?', 'suffix=S'],
    ],
  });
  const { has, operands } = options;
  const mode = valueOf(options, 'm');
  const bits = mode === undefined ? USUAL : changedMode(mode, 0, has.has('d'));
  if (bits === undefined) throw new Complaint(`invalid mode '${mode ?? ''}'`, 1);
  const verbose = has.has('v');
  if (operands.length === 0)
    throw new Complaint("missing file operand\nTry 'install --help' for more information.", 1);
  let code = 0;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await out.flush();
      await complain(call, error.message);
      code = 1;
    }
  };
  if (has.has('d')) {
    for (const name of operands)
      await attempt(async () => {
        await makeFolders(call, name, verbose ? out : undefined);
        await call.files.chmod(call.path(name), bits);
      });
    return code;
  }
  const folder = valueOf(options, 't');
  if (has.has('D') && folder !== undefined) await makeFolders(call, folder, verbose ? out : undefined);
  for (const { from, to } of await pairsOf(call, options))
    await attempt(async () => {
      const slash = to.lastIndexOf('/');
      if (has.has('D') && slash > 0) await makeFolders(call, to.slice(0, slash), verbose ? out : undefined);
      await place(call, from, to, bits, has.has('p'));
      if (verbose) await out.write(`'${from}' -> '${to}'\n`);
    });
  return code;
});

async function makeFolders(call: ProgramCall, name: string, out: Writer | undefined): Promise<void> {
  const parts = name.split('/');
  for (let end = 1; end <= parts.length; end++) {
    const above = parts.slice(0, end).join('/');
    if (above === '' || parts[end - 1] === '') continue;
    const path = call.path(above);
    const stat = await call.files.stat(path).catch(() => undefined);
    if (stat?.isDirectory) continue;
    try {
      if (stat) throw new Error('EEXIST: file exists');
      await call.files.mkdir(path);
      await call.files.chmod(path, USUAL);
    } catch (error) {
      throw new Complaint(`cannot create directory '${above}': ${fileError(error)}`, 1);
    }
    await out?.write(`install: creating directory '${above}'\n`);
  }
}

async function place(
  call: ProgramCall,
  from: string,
  to: string,
  bits: number,
  keepsTimes: boolean,
): Promise<void> {
  const { files } = call;
  const target = call.path(to);
  const stat = await files.stat(call.path(from)).catch((error: unknown) => {
    // The source may be a stream, such as /dev/stdin.
    if (from.startsWith('/dev/')) return undefined;
    throw new Complaint(`cannot stat '${from}': ${fileError(error)}`, 1);
  });
  if (stat?.isDirectory) throw new Complaint(`omitting directory '${from}'`, 1);
  const bytes = await readAll(await open(call, from));
  try {
    if (to.endsWith('/')) throw new Error('EISDIR: is a directory');
    await needFolderOf(call, target);
    // An existing link is replaced, not followed.
    await files.rm(target, { force: true });
    await files.writeFile(target, bytes);
    await files.chmod(target, bits);
    if (keepsTimes && stat) await files.utimes(target, stat.mtime, stat.mtime);
  } catch (error) {
    throw new Complaint(`cannot create regular file '${to}': ${fileError(error)}`, 1);
  }
}
