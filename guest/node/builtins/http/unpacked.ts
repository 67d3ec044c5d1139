import type { LoadBuiltin } from '../builtin.ts';

type Stream = NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>;
type Unpack = (options: object) => Stream;

const KINDS: Readonly<Record<string, string>> = {
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
};

/** The body of an answer without what its `content-encoding` says was done to it, as `fetch` gives it. */
export function unpacked(
  load: LoadBuiltin,
  encoding: string | undefined,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const makers = codings.toReversed().map((coding) => KINDS[coding]);
  if (!makers.every((maker) => maker !== undefined)) return body;
  const zlib = load('zlib') as Readonly<Record<string, Unpack>>;
  const { Readable, pipeline } = load('stream');
  // Everything that arrived is passed on, even if the body is cut off.
  const lenient = (maker: string) => (maker === 'createBrotliDecompress' ? 1 : 2);
  const chain: Stream[] = [Readable.from(body, { objectMode: false }) as AsyncIterable<Uint8Array> as Stream];
  for (const maker of makers) {
    const mode = lenient(maker);
    const next = zlib[maker]?.({ flush: mode, finishFlush: mode });
    if (next) chain.push(next);
  }
  // An error reaches who reads: the last of them has it.
  pipeline(chain, () => {});
  return chain.at(-1) ?? body;
}
