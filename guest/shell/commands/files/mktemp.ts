import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { writing } from '../../kit/io.ts';
import { parseOptions, valueOf } from '../../kit/options.ts';

export const mktemp = writing(async (call, out) => {
  const options = parseOptions(call.args, {
    short: 'dup:qt',
    long: ['directory=d', 'dry-run=u', 'tmpdir?', 'suffix:', 'quiet=q'],
  });
  const [template = 'tmp.XXXXXXXXXX'] = options.operands;
  const [, head = '', marks, tail = ''] = /^(.*?)(X{3,})([^X/]*)$/.exec(template) ?? [];
  if (!marks) throw new Complaint(`too few X's in template '${template}'`, 1);
  const inTemporary =
    options.operands.length === 0 || ['p', 't', 'tmpdir'].some((name) => options.has.has(name));
  const folder = valueOf(options, 'p') || valueOf(options, 'tmpdir') || call.env.get('TMPDIR') || '/tmp';
  for (let attempt = 0; attempt < 100; attempt++) {
    const name = head + randomLetters(marks.length) + tail + (valueOf(options, 'suffix') ?? '');
    const shown = inTemporary ? `${folder.replace(/\/$/, '')}/${name}` : name;
    const path = call.path(shown);
    if (await call.files.exists(path)) continue;
    try {
      const isFolder = options.has.has('d');
      if (isFolder) await call.files.mkdir(path, { recursive: inTemporary });
      else if (!options.has.has('u')) await call.files.writeFile(path, '');
      // A temporary file is private.
      if (!options.has.has('u')) await call.files.chmod(path, isFolder ? 0o700 : 0o600);
    } catch (error) {
      throw new Complaint(`failed to create file via template '${template}': ${fileError(error)}`, 1);
    }
    await out.write(`${shown}\n`);
    return 0;
  }
  throw new Complaint(`failed to create file via template '${template}': File exists`, 1);
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function randomLetters(count: number): string {
  return [...crypto.getRandomValues(new Uint32Array(count))]
    .map((number) => LETTERS[number % LETTERS.length])
    .join('');
}
