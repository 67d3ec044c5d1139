import { Complaint } from '../../kit/complaint.ts';
import { complain, complaining, encode } from '../../kit/io.ts';
import type { Program } from '../../program.ts';
import { signalName, signalNumber } from '../../interpreter/signals.ts';

/** Programs that do nothing but run another one, whose streams are theirs. */

export const timeout: Program = complaining(async (call) => {
  const args = [...call.args];
  let [signal, after, preserves, isVerbose] = ['TERM', undefined as number | undefined, false, false];
  for (let arg = args[0]; arg?.startsWith('-') && arg !== '-'; arg = args[0]) {
    args.shift();
    if (arg === '--') break;
    const [, short, long, joined] = /^(?:-([skfv])|--([a-z-]+)=?)([^]*)$/.exec(arg) ?? [];
    const value = () => joined || (args.shift() ?? '');
    if (short === 's' || long === 'signal') signal = signalName(value()) ?? fail(`'${arg}': invalid signal`);
    else if (short === 'k' || long === 'kill-after') after = milliseconds(value());
    else if (long === 'preserve-status') preserves = true;
    else if (short === 'v' || long === 'verbose') isVerbose = true;
    else if (short !== 'f' && long !== 'foreground') fail(`unrecognized option '${arg}'`);
  }
  const [duration, ...words] = args;
  if (duration === undefined || words.length === 0) fail('missing operand');
  const limit = milliseconds(duration ?? '');
  const controller = new AbortController();
  let isLate = false;
  const end = (name: string) => {
    isLate = true;
    controller.abort(`SIG${name}`);
  };
  const timer = limit > 0 ? setTimeout(() => end(signal), Math.min(limit, 2 ** 31 - 1)) : undefined;
  const killed = new AbortController();
  const killer =
    limit > 0 && after !== undefined ? setTimeout(() => killed.abort('SIGKILL'), limit + after) : undefined;
  try {
    // A signal from outside goes to the command, too, for whose end timeout waits.
    const code = await call.run(words, {
      signal: controller.signal,
      kill: killed.signal,
      takesSignals: true,
    });
    if (!isLate) return code;
    if (isVerbose) await complain(call, `sending signal ${signal} to command '${words[0] ?? ''}'`);
    if (signal === 'KILL' || (killed.signal.aborted && code === 137)) return 137;
    return preserves ? (code === 0 ? 128 + signalNumber(signal) : code) : 124;
  } finally {
    clearTimeout(timer);
    clearTimeout(killer);
  }
});

function fail(message: string): never {
  throw new Complaint(`${message}\nTry 'timeout --help' for more information.`, 125);
}

function milliseconds(text: string): number {
  const [, digits, unit = 's'] = /^(\d*\.?\d+|\d+\.)([smhd]?)$/.exec(text) ?? [];
  if (digits === undefined) return fail(`invalid time interval '${text}'`);
  return Number(digits) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit || 's'] ?? 1000);
}

export const env: Program = complaining(async (call) => {
  const variables = new Map(call.env);
  const args = [...call.args];
  let cwd: string | undefined;
  let end = '\n';
  for (let arg = args[0]; arg !== undefined && /^-/.test(arg); arg = args[0]) {
    args.shift();
    if (arg === '--') break;
    const value = (joined: string | undefined) => joined || (args.shift() ?? '');
    if (arg === '-' || arg === '-i' || arg === '--ignore-environment') variables.clear();
    else if (arg === '-0' || arg === '--null') end = '\0';
    else if (/^-u|^--unset/.test(arg)) variables.delete(value(/^(?:-u|--unset=)([^]+)$/.exec(arg)?.[1]));
    else if (/^-C|^--chdir/.test(arg)) cwd = call.path(value(/^(?:-C|--chdir=)([^]+)$/.exec(arg)?.[1]));
    else if (/^-S|^--split-string/.test(arg)) {
      const text = value(/^(?:-S|--split-string=)([^]+)$/.exec(arg)?.[1]);
      args.unshift(...splitString(text));
    } else
      throw new Complaint(
        `invalid option -- '${arg.replace(/^-+/, '')}'\nTry 'env --help' for more information.`,
        125,
      );
  }
  for (let arg = args[0]; arg !== undefined && arg.indexOf('=') > 0; arg = args[0]) {
    args.shift();
    variables.set(arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1));
  }
  if (args.length > 0)
    return call.run(args, { env: variables, takesSignals: true, ...(cwd !== undefined && { cwd }) });
  await call.stdout.write(encode([...variables].map(([name, value]) => `${name}=${value}${end}`).join('')));
  return 0;
});

function splitString(text: string): string[] {
  return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_all, double?: string, single?: string, escaped?: string) =>
        double?.replace(/\\(.)/g, '$1') ?? single ?? escaped ?? '',
    ),
  );
}

/** Skips its own options, then runs the rest as a command. */
function passing(withValue: RegExp): Program {
  return complaining(async (call) => {
    const args = [...call.args];
    for (let arg = args[0]; arg?.startsWith('-'); arg = args[0]) {
      args.shift();
      if (arg === '--') break;
      if (withValue.test(arg)) args.shift();
    }
    if (args.length === 0) throw new Complaint('missing operand', 125);
    return call.run(args, { takesSignals: true });
  });
}

export const nice = passing(/^-n$/);
export const nohup = passing(/^$/);
export const setsid = passing(/^$/);
export const stdbuf = passing(/^-[ioe]$/);
