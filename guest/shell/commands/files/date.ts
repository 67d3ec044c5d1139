import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { parseDate } from '../../kit/date-text.ts';
import { complain, lineBatches, open, optionsOf, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { momentOfDate, now, strftime, type Moment } from '../../kit/strftime.ts';

const ISO: Readonly<Record<string, string>> = {
  '': '%Y-%m-%d',
  date: '%Y-%m-%d',
  hours: '%Y-%m-%dT%H%:z',
  minutes: '%Y-%m-%dT%H:%M%:z',
  seconds: '%Y-%m-%dT%H:%M:%S%:z',
  ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
};

function isoFormat(part: string): string {
  const found = ISO[part] ?? Object.entries(ISO).find(([name]) => part !== '' && name.startsWith(part))?.[1];
  if (found === undefined) throw new Complaint(`invalid argument '${part}' for '--iso-8601'`, 1);
  return found;
}

export const date = writing(async (call, out) => {
  let format: string | undefined;
  const args: string[] = [];
  for (const arg of call.args) {
    const iso = /^-(u?)I(.*)$/.exec(arg) ?? /^--iso-8601(?:=(.*))?()$/.exec(arg);
    if (!iso) args.push(arg);
    else {
      if (iso[1] === 'u') args.push('-u');
      format = isoFormat(arg.startsWith('--') ? (iso[1] ?? '') : (iso[2] ?? ''));
    }
  }
  const options = optionsOf(
    call,
    {
      short: 'd:f:r:s:uR',
      long: [
        'date=d',
        'file=f',
        'reference=r',
        'set=s',
        'utc=u',
        'universal=u',
        'rfc-email=R',
        'rfc-3339:',
        'debug',
      ],
    },
    1,
    false,
    args,
  );
  const zone = options.has.has('u') ? 'UTC' : (call.env.get('TZ') ?? '');
  if (options.has.has('R')) format = '%a, %d %b %Y %H:%M:%S %z';
  const rfc = valueOf(options, 'rfc-3339');
  if (rfc !== undefined)
    format = rfc.startsWith('d')
      ? '%Y-%m-%d'
      : rfc.startsWith('n')
        ? '%Y-%m-%d %H:%M:%S.%N%:z'
        : '%Y-%m-%d %H:%M:%S%:z';
  const [operand, extra] = options.operands;
  if (extra !== undefined) throw new Complaint(`extra operand '${extra}'`, 1);
  if (operand !== undefined) {
    if (!operand.startsWith('+')) throw new Complaint(`invalid date '${operand}'`, 1);
    format = operand.slice(1);
  }
  if (options.has.has('s')) throw new Complaint('cannot set date: Operation not permitted', 1);
  const show = (moment: Moment) =>
    out.write(`${strftime(format ?? '%a %b %e %H:%M:%S %Z %Y', moment, zone)}\n`);
  const file = valueOf(options, 'f');
  if (file !== undefined) {
    let code = 0;
    for await (const { lines } of lineBatches(await open(call, file), out)) {
      for (const line of lines) {
        const moment = parseDate(line, now(), zone);
        if (moment) await show(moment);
        else {
          await complain(call, `invalid date '${line}'`);
          code = 1;
        }
      }
    }
    return code;
  }
  await show(await wanted(call, valueOf(options, 'd'), valueOf(options, 'r'), zone));
  return 0;
});

async function wanted(
  call: ProgramCall,
  text: string | undefined,
  reference: string | undefined,
  zone: string,
): Promise<Moment> {
  if (reference !== undefined) {
    try {
      return momentOfDate((await call.files.stat(call.path(reference))).mtime);
    } catch (error) {
      throw new Complaint(`${reference}: ${fileError(error)}`, 1);
    }
  }
  if (text === undefined) return now();
  const moment = parseDate(text, now(), zone);
  if (!moment) throw new Complaint(`invalid date '${text}'`, 1);
  return moment;
}

/** Sets the times of files, and creates missing ones. */
export const touch = writing(async (call) => {
  const options = optionsOf(call, {
    short: 'acd:fhmr:t:',
    long: ['no-create=c', 'date=d', 'no-dereference=h', 'reference=r', 'time:'],
  });
  const zone = call.env.get('TZ') ?? '';
  if (options.operands.length === 0)
    throw new Complaint("missing file operand\nTry 'touch --help' for more information.", 1);
  let at: Moment | undefined;
  const stamp = valueOf(options, 't');
  const text = valueOf(options, 'd');
  const reference = valueOf(options, 'r');
  if (stamp !== undefined) {
    const [, century = '', year, rest = '', seconds = '00'] =
      /^(?:(\d{2})?(\d{2}))?(\d{8})(?:\.(\d{2}))?$/.exec(stamp) ?? [];
    if (rest === '') throw new Complaint(`invalid date format '${stamp}'`, 1);
    const whole =
      year === undefined
        ? new Date().getFullYear()
        : Number((century || (Number(year) < 69 ? '20' : '19')) + year);
    const [month, day, hour, minute] = rest.match(/../g) ?? [];
    at = parseDate(`${whole}-${month}-${day} ${hour}:${minute}:${seconds}`, now(), zone);
  } else if (reference !== undefined || text !== undefined) {
    const base = reference === undefined ? now() : await wanted(call, undefined, reference, zone);
    at = text === undefined ? base : parseDate(text, base, zone);
    if (!at) throw new Complaint(`invalid date format '${text ?? ''}'`, 1);
  }
  const when = at ? new Date(at.seconds * 1000 + Math.floor(at.nanoseconds / 1e6)) : new Date();
  let code = 0;
  for (const name of options.operands) {
    const path = call.path(name);
    try {
      const exists = await call.files.exists(path);
      if (!exists && options.has.has('c')) continue;
      if (!exists) await call.files.writeFile(path, '');
      if (exists || at) await call.files.utimes(path, when, when);
    } catch (error) {
      await complain(call, `cannot touch '${name}': ${fileError(error)}`);
      code = 1;
    }
  }
  return code;
});
