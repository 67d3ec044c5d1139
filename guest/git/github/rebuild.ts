import { idOf, utf8, type ObjectType } from '../kit/bytes.ts';
import { objectOf, oidOf, listOf, textOf, type Json } from './json.ts';

/** The person who made a commit or tag, as GitHub describes them. It gives the time in UTC, although the object may name another zone. */
interface Who {
  readonly text: string;
  /** Seconds since 1970. */
  readonly time: number;
}

/** Facts about a commit, from which its bytes are found again. */
export interface CommitFacts {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Who;
  readonly committer: Who;
  readonly message: string;
  readonly signed: Signed | undefined;
}

interface Signed {
  readonly payload: string;
  readonly signature: string;
}

function whoOf(value: unknown): Who {
  const { name, email, date } = objectOf(value, 'no person');
  return {
    text: `${textOf(name)} <${textOf(email)}>`,
    time: Math.floor(Date.parse(textOf(date, 'no date')) / 1000),
  };
}

function signedOf(value: unknown): Signed | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { payload, signature } = objectOf(value);
  return typeof payload === 'string' && typeof signature === 'string' ? { payload, signature } : undefined;
}

/** Reads an answer about a single commit, or an entry in a list of commits. */
export function commitFacts(answer: Json): CommitFacts {
  // In a list, what git has of a commit is one level below.
  const inner = 'commit' in answer ? objectOf(answer.commit) : answer;
  return {
    oid: oidOf(answer.sha),
    tree: oidOf(objectOf(inner.tree).sha),
    parents: listOf(answer.parents).map(({ sha }) => oidOf(sha)),
    author: whoOf(inner.author),
    committer: whoOf(inner.committer),
    message: textOf(inner.message),
    signed: signedOf(inner.verification),
  };
}

/** All offsets from UTC that are in use, or were since computers have clocks; the commonest first. */
const ZONES: readonly string[] = [
  '+0000',
  ...Array.from({ length: 14 }, (_, at) => `+${String(at + 1).padStart(2, '0')}00`),
  ...Array.from({ length: 12 }, (_, at) => `-${String(at + 1).padStart(2, '0')}00`),
  ...['+0530', '+0930', '+0545', '+0330', '+0430', '+0630', '+1030', '+0845', '+1245', '+1345'],
  ...['-0330', '-0230', '-0930', '-0430', '-0000'],
];

function ifSame(type: ObjectType, oid: string, text: string): Uint8Array | undefined {
  const bytes = utf8(text);
  return idOf(type, bytes) === oid ? bytes : undefined;
}

/** An API may leave out the line end after a message. */
const ENDS = ['', '\n', '\n\n'];

/**
 * Finds the bytes of a commit. GitHub tells the two times without their offsets from UTC, so these are tried until the
 * id fits; a signed commit comes with what was signed. Undefined where nothing fits: the commit has headers of which
 * GitHub does not tell.
 */
export function rebuildCommit(facts: CommitFacts): Uint8Array | undefined {
  const { oid, tree, parents, author, committer, message, signed } = facts;
  if (signed) return rebuildSigned(oid, signed);
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)].join('\n');
  const attempt = (one: string, other: string): Uint8Array | undefined => {
    const people = `author ${author.text} ${author.time} ${one}\ncommitter ${committer.text} ${committer.time} ${other}`;
    for (const end of ENDS) {
      const found = ifSame('commit', oid, `${head}\n${people}\n\n${message}${end}`);
      if (found) return found;
    }
    return undefined;
  };
  // Most people commit where they wrote.
  for (const zone of ZONES) {
    const found = attempt(zone, zone);
    if (found) return found;
  }
  for (const one of ZONES)
    for (const other of ZONES) {
      const found = one === other ? undefined : attempt(one, other);
      if (found) return found;
    }
  return undefined;
}

/** The signature is a header of its own behind all others; what was signed is the commit without it. */
function rebuildSigned(oid: string, { payload, signature }: Signed): Uint8Array | undefined {
  const at = payload.indexOf('\n\n');
  if (at < 0) return undefined;
  const plain = signature.replace(/\n+$/, '');
  for (const end of ENDS)
    for (const after of ENDS) {
      const header = `gpgsig ${`${plain}${end}`.replaceAll('\n', '\n ')}`;
      const found = ifSame('commit', oid, `${payload.slice(0, at)}\n${header}${payload.slice(at)}${after}`);
      if (found) return found;
    }
  return undefined;
}

/** Finds the bytes of an annotated tag in the same way. */
export function rebuildTag(answer: Json): Uint8Array | undefined {
  const oid = oidOf(answer.sha);
  const signed = signedOf(answer.verification);
  if (signed)
    for (const end of ENDS) {
      const found = ifSame('tag', oid, `${signed.payload}${signed.signature}${end}`);
      if (found) return found;
    }
  const object = objectOf(answer.object);
  const tagger = whoOf(answer.tagger);
  for (const zone of ZONES)
    for (const end of ENDS) {
      const text = [
        `object ${oidOf(object.sha)}\ntype ${textOf(object.type)}\ntag ${textOf(answer.tag)}`,
        `tagger ${tagger.text} ${tagger.time} ${zone}\n\n${textOf(answer.message)}${end}`,
      ].join('\n');
      const found = ifSame('tag', oid, text);
      if (found) return found;
    }
  return undefined;
}
