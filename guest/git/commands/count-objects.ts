import type { Command } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';

interface Counted {
  count: number;
  bytes: number;
}

/** A file takes whole blocks of a disk. */
const BLOCK = 4096;

export const countObjects: Command = async (git, args) => {
  const given = parse('count-objects', args, 'v|verbose H|human-readable');
  const repo = await git.repo();
  const size = (bytes: number) => (given.has('human-readable') ? humanSize(bytes) : kilobytes(bytes));
  const packs = await packsOf(repo);
  const loose = await looseOf(repo, packs.ids);
  if (!given.has('verbose')) {
    const unit = given.has('human-readable') ? '' : ' kilobytes';
    git.out(`${loose.count} objects, ${size(loose.bytes)}${unit}\n`);
    return 0;
  }
  git.out(
    `count: ${loose.count}\nsize: ${size(loose.bytes)}\nin-pack: ${packs.objects}\npacks: ${packs.count}\n` +
      `size-pack: ${size(packs.bytes)}\nprune-packable: ${loose.packed}\ngarbage: 0\nsize-garbage: ${size(0)}\n`,
  );
  return 0;
};

const kilobytes = (bytes: number): string => String(Math.floor(bytes / 1024));

function humanSize(bytes: number): string {
  for (const [power, unit] of [
    [30, 'GiB'],
    [20, 'MiB'],
    [10, 'KiB'],
  ] as const)
    if (bytes >= 2 ** power) return `${(bytes / 2 ** power).toFixed(2)} ${unit}`;
  return `${bytes} byte${bytes === 1 ? '' : 's'}`;
}

/** Objects that are files of their own, and how many of them are in a pack too. */
async function looseOf(repo: Repo, packed: ReadonlySet<string>): Promise<Counted & { packed: number }> {
  const counted = { count: 0, bytes: 0, packed: 0 };
  for (const { name: folder } of await repo.files.list(`${repo.gitdir}/objects`)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const { name, stat } of await repo.files.list(`${repo.gitdir}/objects/${folder}`)) {
      if (!/^[0-9a-f]{38}$/.test(name)) continue;
      counted.count++;
      counted.bytes += Math.ceil(stat.size / BLOCK) * BLOCK;
      if (packed.has(folder + name)) counted.packed++;
    }
  }
  return counted;
}

async function packsOf(repo: Repo): Promise<Counted & { objects: number; ids: ReadonlySet<string> }> {
  const counted = { count: 0, bytes: 0, objects: 0, ids: new Set<string>() };
  const folder = `${repo.gitdir}/objects/pack`;
  for (const { name, stat } of await repo.files.list(folder)) {
    if (!/\.(?:pack|idx)$/.test(name)) continue;
    counted.bytes += stat.size;
    if (!name.endsWith('.idx')) continue;
    counted.count++;
    const ids = idsOf((await repo.files.read(`${folder}/${name}`)) ?? new Uint8Array());
    counted.objects += ids.length;
    for (const id of ids) counted.ids.add(id);
  }
  return counted;
}

const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;

/** The ids in the index of a pack, in its second version. */
function idsOf(bytes: Uint8Array): string[] {
  if (bytes.length < NAMES) return [];
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(NAMES - 4);
  const hex = (at: number) =>
    Array.from(bytes.subarray(at, at + 20), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return Array.from({ length: count }, (_, at) => hex(NAMES + at * 20));
}
