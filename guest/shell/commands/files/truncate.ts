import { Complaint } from '../../kit/complaint.ts';
import { complaining } from '../../kit/io.ts';
import { parseOptions, valueOf } from '../../kit/options.ts';

export const truncate = complaining(async (call) => {
  const options = parseOptions(call.args, { short: 's:cr:', long: ['size=s', 'no-create=c', 'reference=r'] });
  const [, sign = '', digits, unit = ''] = /^([-+]?)(\d+)([KMG]?)B?$/.exec(valueOf(options, 's') ?? '') ?? [];
  if (digits === undefined) throw new Complaint("you must specify '--size', as in -s 0 or -s +1K", 1);
  const amount = Number(digits) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit);
  for (const name of options.operands) {
    const path = call.path(name);
    const exists = await call.files.exists(path);
    if (!exists && options.has.has('c')) continue;
    const content = exists ? await call.files.readFileBuffer(path) : new Uint8Array();
    const length =
      sign === '+' ? content.length + amount : sign === '-' ? Math.max(0, content.length - amount) : amount;
    const changed = new Uint8Array(length);
    changed.set(content.subarray(0, length));
    await call.files.writeFile(path, changed);
  }
  return 0;
});
