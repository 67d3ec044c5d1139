import { Complaint } from '../../kit/complaint.ts';
import {
  complaining,
  complain,
  encode,
  linesIn,
  nextPiece,
  open,
  optionsOf,
  decode,
  sourceOf,
} from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import type { ByteSource, ProgramCall } from '../../program.ts';

const SPEC = {
  short: '0rtpxn:L:I:P:d:a:s:E:i',
  long: [
    'null=0',
    'no-run-if-empty=r',
    'verbose=t',
    'interactive=p',
    'max-args=n',
    'max-lines=L',
    'replace=I',
    'max-procs=P',
    'delimiter=d',
    'arg-file=a',
    'max-chars=s',
    'eof=E',
    'exit=x',
    'process-slot-var:',
    'show-limits',
  ],
};

/** Runs a command with the words of its input, as soon as enough of them have arrived. */
export const xargs = complaining(async (call) => {
  const options = optionsOf(call, SPEC, 1, true);
  const words = options.operands.length > 0 ? options.operands : ['echo'];
  const file = valueOf(options, 'a');
  const input = file === undefined ? call.stdin : await open(call, file);
  const mark = options.has.has('i') ? '{}' : valueOf(options, 'I');
  const perLine = countOf(options, 'L');
  const size = mark !== undefined ? 1 : countOf(options, 'n');
  const most = countOf(options, 's') ?? 131_072;
  if (size === 0 || perLine === 0) throw new Complaint('value 0 for -n option should be >= 1', 1);
  const atOnce = countOf(options, 'P') ?? 1;
  const runner = new Runner(call, options, atOnce === 0 ? 64 : atOnce);
  const fixed = words.reduce((sum, word) => sum + word.length + 1, 0);
  let group: string[] = [];
  let [lines, length, any] = [0, fixed, false];
  const flush = async () => {
    if (group.length === 0) return;
    const run =
      mark === undefined
        ? [...words, ...group]
        : words.map((word) => word.replaceAll(mark, () => group[0] ?? ''));
    [group, lines, length, any] = [[], 0, fixed, true];
    await runner.start(run);
  };
  for await (const { text, endsLine } of itemsOf(input, options, mark !== undefined)) {
    if (call.signal.aborted || runner.over) break;
    if (length + text.length + 1 > most && group.length > 0) await flush();
    group.push(text);
    length += text.length + 1;
    if (endsLine) lines++;
    if ((size !== undefined && group.length >= size) || (perLine !== undefined && lines >= perLine))
      await flush();
  }
  if (!runner.over) {
    await flush();
    if (!any && mark === undefined && !options.has.has('r')) await runner.start([...words]);
  }
  return runner.end();
});

class Runner {
  readonly #call: ProgramCall;
  readonly #options: Options;
  readonly #atOnce: number;
  readonly #running = new Set<Promise<void>>();
  #code = 0;
  over = false;

  constructor(call: ProgramCall, options: Options, atOnce: number) {
    this.#call = call;
    this.#options = options;
    this.#atOnce = atOnce;
  }

  async start(words: readonly string[]): Promise<void> {
    if (this.#options.has.has('t')) await this.#call.stderr.write(encode(`${words.join(' ')}\n`));
    const run: Promise<void> = this.#run(words).finally(() => this.#running.delete(run));
    this.#running.add(run);
    if (this.#running.size >= this.#atOnce) await Promise.race(this.#running);
  }

  async #run(words: readonly string[]): Promise<void> {
    const code = await this.#call.run(words, { stdin: sourceOf(new Uint8Array()) });
    if (code === 0) return;
    if (code === 255) {
      await complain(this.#call, `${words[0] ?? ''}: exited with status 255; aborting`);
      this.#code = 124;
      this.over = true;
    } else if (code === 126 || code === 127) {
      this.#code = code;
      this.over = true;
    } else this.#code ||= 123;
  }

  async end(): Promise<number> {
    await Promise.all(this.#running);
    return this.#code;
  }
}

interface Item {
  readonly text: string;
  readonly endsLine: boolean;
}

async function* itemsOf(source: ByteSource, options: Options, byLine: boolean): AsyncGenerator<Item> {
  const delimiter = options.has.has('0') ? '\0' : delimiterOf(valueOf(options, 'd'));
  const end = valueOf(options, 'E');
  let rest = '';
  for (let piece = await nextPiece(source); ; piece = await nextPiece(source)) {
    // Text is cut at item ends, so a character is split only where there is no item end.
    const text = piece ? rest + decode(piece) : rest;
    const cut = piece ? text.lastIndexOf(delimiter ?? '\n') + 1 : text.length;
    rest = text.slice(cut);
    const whole = text.slice(0, cut);
    if (delimiter !== undefined) {
      for (const item of linesIn(whole, delimiter).lines) yield { text: item, endsLine: true };
    } else if (piece && openQuote(whole)) rest = whole + rest;
    else {
      for (const item of byLine ? lineItems(whole) : wordItems(whole)) {
        if (end !== undefined && item.text === end) return;
        yield item;
      }
    }
    if (!piece) return;
  }
}

function openQuote(text: string): boolean {
  return text.endsWith('\\\n');
}

function* lineItems(text: string): Generator<Item> {
  for (const line of text.split('\n')) {
    const trimmed = line.replace(/^[ \t]+/, '');
    if (trimmed !== '') yield { text: unquoted(trimmed), endsLine: true };
  }
}

function* wordItems(text: string): Generator<Item> {
  for (const line of text.split('\n')) {
    const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|\\[\s\S]|[^\s"'\\]|["'])+/g)].map(([word]) => word);
    for (const [at, word] of words.entries())
      yield { text: unquoted(word), endsLine: at === words.length - 1 };
  }
}

function unquoted(word: string): string {
  return word.replace(
    /"([^"]*)"|'([^']*)'|\\([\s\S])|(["'])/g,
    (_all, double?: string, single?: string, escaped?: string, open?: string) => {
      if (open !== undefined)
        throw new Complaint(
          `unmatched ${open === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`,
          1,
        );
      return double ?? single ?? escaped ?? '';
    },
  );
}

function delimiterOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const escapes: Record<string, string> = {
    '\\n': '\n',
    '\\t': '\t',
    '\\0': '\0',
    '\\\\': '\\',
    '\\r': '\r',
  };
  return escapes[value] ?? value.charAt(0);
}
