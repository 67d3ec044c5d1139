import { readInput, textOf, writing } from '../../kit/io.ts';
import { countOf, parseOptions, valueOf } from '../../kit/options.ts';

export const shuf = writing(async (call, out) => {
  const options = parseOptions(call.args, {
    short: 'n:i:er',
    long: ['head-count=n', 'input-range=i', 'echo=e'],
  });
  const range = valueOf(options, 'i')?.split('-').map(Number);
  const [from = 0, to = -1] = range ?? [];
  const lines = range
    ? Array.from({ length: Math.min(1_000_000, Math.max(0, to - from + 1)) }, (_, i) => String(from + i))
    : options.has.has('e')
      ? [...options.operands]
      : textOf(await readInput(call, options.operands[0]))
          .replace(/\n$/, '')
          .split('\n');
  for (let i = lines.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [lines[i], lines[j]] = [lines[j] ?? '', lines[i] ?? ''];
  }
  for (const line of lines.slice(0, countOf(options, 'n') ?? lines.length)) {
    const waits = out.write(`${line}\n`);
    if (waits) await waits;
  }
  return 0;
});
