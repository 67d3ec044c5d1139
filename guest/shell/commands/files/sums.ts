import { blake2b } from '@noble/hashes/blake2.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { Program, ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import {
  complain,
  decode,
  eachInput,
  nextPiece,
  open,
  optionsOf,
  readAll,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { checksum } from './cksum.ts';

const KINDS = {
  md5: { hash: md5, length: 32 },
  sha1: { hash: sha1, length: 40 },
  sha224: { hash: sha224, length: 56 },
  sha256: { hash: sha256, length: 64 },
  sha384: { hash: sha384, length: 96 },
  sha512: { hash: sha512, length: 128 },
  blake2b: { hash: blake2b, length: 128 },
};

type Kind = keyof typeof KINDS;

/** The name of a sum in a tag. */
const tagOf = (kind: Kind) => (kind === 'blake2b' ? 'BLAKE2b' : kind.toUpperCase());

const LONG = [
  ...['binary=b', 'check=c', 'text=t', 'warn=w', 'zero=z', 'tag', 'quiet', 'status', 'strict'],
  'ignore-missing',
];

function sumOf(kind: Kind) {
  return writing(async (call, out) => {
    const options = optionsOf(
      call,
      kind === 'blake2b' ? { short: 'bctwzl:', long: [...LONG, 'length=l'] } : { short: 'bctwz', long: LONG },
    );
    const { has, operands } = options;
    const bytes = kind === 'blake2b' ? bytesWanted(valueOf(options, 'l')) : undefined;
    const tagName = tagOf(kind) + (bytes === undefined || bytes === 64 ? '' : `-${bytes * 8}`);
    if (has.has('c')) return checked(call, out, kind, options);
    return eachInput(call, operands, async (source, name) => {
      const sum = await digest(kind, source, out, bytes);
      const end = has.has('z') ? '\0' : '\n';
      const isOdd = !has.has('z') && /[\n\\]/.test(name);
      const shown = isOdd ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n') : name;
      const head = isOdd ? '\\' : '';
      if (has.has('tag')) await out.write(`${head}${tagName} (${shown}) = ${sum}${end}`);
      else await out.write(`${head}${sum} ${has.has('b') ? '*' : ' '}${shown}${end}`);
    });
  });
}

/** The length of a `b2sum` sum in bytes; the option counts in bits. */
function bytesWanted(length: string | undefined): number | undefined {
  if (length === undefined) return undefined;
  const bits = Number(length);
  const refuse = (why: string) => new Complaint(`invalid length: '${length}'\nb2sum: ${why}`, 1);
  if (!/^\d+$/.test(length)) throw new Complaint(`invalid length: '${length}'`, 1);
  if (bits > 512) throw refuse("maximum digest length for 'BLAKE2b' is 512 bits");
  if (bits % 8 !== 0) throw refuse('length is not a multiple of 8');
  return bits === 0 ? undefined : bits / 8;
}

async function digest(
  kind: Kind,
  source: Parameters<typeof nextPiece>[0],
  out: Writer,
  bytes?: number,
): Promise<string> {
  const hash =
    kind === 'blake2b'
      ? blake2b.create(bytes === undefined ? {} : { dkLen: bytes })
      : KINDS[kind].hash.create();
  for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out))
    hash.update(piece);
  return [...hash.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Checks files against the sums in lists. */
async function checked(
  call: ProgramCall,
  out: Writer,
  kind: Kind,
  { has, operands }: Options,
): Promise<number> {
  // The length of a b2sum sum follows from the sum itself.
  const sum = kind === 'blake2b' ? '(?:[0-9a-fA-F]{2}){1,64}' : `[0-9a-fA-F]{${KINDS[kind].length}}`;
  const line = new RegExp(`^(\\\\?)(${sum})[ \\t][ *](.+)$`, 's');
  const tagged = new RegExp(`^(\\\\?)${tagOf(kind)}(?:-\\d+)? \\((.+)\\) = (${sum})$`, 's');
  let isBad = false;
  const code = await eachInput(call, operands, async (source, list) => {
    const counts = { malformed: 0, good: 0, unread: 0, wrong: 0, verified: 0 };
    for (const text of decode(await readAll(source, out)).split(/\r?\n/)) {
      if (text === '' || text.startsWith('#')) continue;
      const plain = line.exec(text);
      const tag = plain ? null : tagged.exec(text);
      const wanted = plain?.[2] ?? tag?.[3];
      const name = plain?.[3] ?? tag?.[2];
      if (wanted === undefined || name === undefined) {
        counts.malformed++;
        continue;
      }
      counts.good++;
      try {
        const isSame =
          (await digest(
            kind,
            await open(call, name),
            out,
            kind === 'blake2b' ? wanted.length / 2 : undefined,
          )) === wanted.toLowerCase();
        counts.verified++;
        if (!isSame) counts.wrong++;
        if (!has.has('status') && !(isSame && has.has('quiet')))
          await out.write(`${name}: ${isSame ? 'OK' : 'FAILED'}\n`);
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        if (has.has('ignore-missing')) continue;
        counts.unread++;
        await out.flush();
        await complain(call, error.message);
        if (!has.has('status')) await out.write(`${name}: FAILED open or read\n`);
      }
    }
    await out.flush();
    const shown = list === '-' ? "'standard input'" : list;
    if (counts.good === 0) throw new Complaint(`${shown}: no properly formatted checksum lines found`, 1);
    isBad ||= counts.unread + counts.wrong > 0 || (has.has('strict') && counts.malformed > 0);
    if (!has.has('status')) {
      if (counts.malformed > 0)
        await warn(call, counts.malformed, 'line is improperly formatted', 'lines are improperly formatted');
      if (counts.unread > 0)
        await warn(call, counts.unread, 'listed file could not be read', 'listed files could not be read');
      if (counts.wrong > 0)
        await warn(call, counts.wrong, 'computed checksum did NOT match', 'computed checksums did NOT match');
    }
    if (has.has('ignore-missing') && counts.verified === 0)
      throw new Complaint(`${shown}: no file was verified`, 1);
  });
  return code || (isBad ? 1 : 0);
}

function warn(call: ProgramCall, count: number, one: string, many: string): Promise<void> {
  return complain(call, `WARNING: ${count} ${count === 1 ? one : many}`);
}

export const md5sum = sumOf('md5');
export const sha1sum = sumOf('sha1');
export const sha224sum = sumOf('sha224');
export const sha256sum = sumOf('sha256');
export const sha384sum = sumOf('sha384');
export const sha512sum = sumOf('sha512');
export const b2sum = sumOf('blake2b');

const DIGESTS: Readonly<Record<string, Program>> = {
  md5: md5sum,
  sha1: sha1sum,
  sha224: sha224sum,
  sha256: sha256sum,
  sha384: sha384sum,
  sha512: sha512sum,
  blake2b: b2sum,
};

/** Prints the CRC of files with their sizes; `-a` selects another sum. */
export const cksum = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'a:', long: ['algorithm=a', 'tag', 'untagged'] });
  const algorithm = valueOf(options, 'a') ?? 'crc';
  const program = Object.hasOwn(DIGESTS, algorithm) ? DIGESTS[algorithm] : undefined;
  if (program) {
    const tag = options.has.has('untagged') ? [] : ['--tag'];
    return program({ ...call, args: [...tag, '--', ...options.operands] });
  }
  if (algorithm !== 'crc')
    throw new Complaint(
      `invalid argument '${algorithm}' for '--algorithm'\nValid arguments are:\n${['crc', ...Object.keys(DIGESTS)].map((name) => `  - '${name}'\n`).join('')}Try 'cksum --help' for more information.`,
      1,
    );
  return eachInput(call, options.operands, async (source, name) => {
    const { sum, size } = await checksum(source, out);
    const shown = options.operands.length === 0 ? '' : ` ${name}`;
    await out.write(`${sum} ${size}${shown}\n`);
  });
});
