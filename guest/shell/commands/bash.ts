import { Complaint, fileError, textOf, type Call, type Output } from './command.ts';

const LETTERS = 'abefhkmnptuvxBCHPT';
const IGNORED = new Set(['--norc', '--noprofile', '--posix', '--login', '-l', '-i', '-r', '--']);

/** Adds the shell's options, `-n` and `-s` to just-bash's own `bash`, which knows only `-c` and a file. */
export async function bash(call: Call, name: 'bash' | 'sh'): Promise<Output> {
  const rest = [...call.args];
  const settings: string[] = [];
  let [takesCommand, takesInput] = [false, false];
  for (let arg = rest[0]; arg !== undefined && /^[-+]./.test(arg) && arg !== '--help'; arg = rest[0]) {
    if (arg === '--version') return { stdout: 'GNU bash, as far as the embedded workspace has it\n' };
    rest.shift();
    if (arg === '--') break;
    if (IGNORED.has(arg)) continue;
    const sign = arg.charAt(0);
    for (const letter of arg.slice(1)) {
      if (letter === 'c') takesCommand = true;
      else if (letter === 's') takesInput = true;
      else if (letter === 'o' || letter === 'O') {
        const option = rest.shift() ?? '';
        settings.push(
          letter === 'o' ? `set ${sign}o ${option}` : `shopt ${sign === '-' ? '-s' : '-u'} ${option}`,
        );
      } else if (LETTERS.includes(letter)) settings.push(`set ${sign}${letter}`);
      else if (!'lir'.includes(letter)) throw new Complaint(`${arg}: invalid option`);
    }
  }
  if (settings.length === 0 && !takesInput) return call.original(takesCommand ? ['-c', ...rest] : rest);
  // Before the first line, so that its number stays.
  const before = settings.map((setting) => `${setting}; `).join('');
  if (takesCommand) {
    const [script, ...args] = rest;
    if (script === undefined) throw new Complaint('-c: option requires an argument');
    return call.original(['-c', before + script, ...args]);
  }
  const [file, ...args] = takesInput || rest.length === 0 ? [name, ...rest] : rest;
  const script = takesInput || rest.length === 0 ? textOf(call.stdin()) : await read(call, file ?? name);
  return call.original(['-c', before + script, file ?? name, ...args]);
}

async function read(call: Call, file: string): Promise<string> {
  try {
    return await call.files.readFile(call.path(file));
  } catch (error) {
    throw new Complaint(`${file}: ${fileError(error)}`, 127);
  }
}
