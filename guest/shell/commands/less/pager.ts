import { complaining } from '../../kit/io.ts';
import { cat } from '../text/cat.ts';
import type { Program } from '../../program.ts';

/** Without a terminal to page on, a pager passes everything through. */
export const pager: Program = (call) => {
  const names = call.args.filter((arg) => !/^[-+]./.test(arg));
  return cat({ ...call, args: names });
};

/** Searches files that gzip has packed. */
export const zgrep = complaining(async (call) => {
  const last = call.args.at(-1) ?? '';
  const packed = await call.files.exists(call.path(last));
  const quoted = call.args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
  const files = packed ? [quoted.pop() ?? ''] : [];
  return call.run(['sh', '-c', `zcat -f ${files.join(' ')} | grep ${quoted.join(' ')}`]);
});
