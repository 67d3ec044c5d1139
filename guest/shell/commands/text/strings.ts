import { Complaint } from '../../kit/complaint.ts';
import { eachInput, optionsOf, readAll, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

/** Prints runs of printable characters. */
export const strings = writing(async (call, out) => {
  const options = optionsOf(
    call,
    { short: 'afn:t:oe:w', long: ['all=a', 'print-file-name=f', 'bytes=n', 'radix=t', 'encoding=e'] },
    1,
    false,
    call.args.map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg)),
  );
  const least = Number(valueOf(options, 'n') ?? 4);
  if (!Number.isInteger(least) || least < 1)
    throw new Complaint(`invalid minimum string length ${valueOf(options, 'n') ?? ''}`, 1);
  const radix = valueOf(options, 't') ?? (options.has.has('o') ? 'o' : '');
  const base = { d: 10, o: 8, x: 16 }[radix];
  return eachInput(call, options.operands, async (source, name) => {
    const bytes = await readAll(source, out);
    let from = 0;
    for (let at = 0; at <= bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (at < bytes.length && (byte === 9 || (byte >= 32 && byte < 127))) continue;
      if (at - from >= least) {
        const text = String.fromCharCode(...bytes.subarray(from, Math.min(at, from + 32_768)));
        const head = options.has.has('f') ? `${name}: ` : '';
        await out.write(`${head}${base ? `${from.toString(base).padStart(7)} ` : ''}${text}\n`);
      }
      from = at + 1;
    }
  });
});
