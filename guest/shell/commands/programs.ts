import type { Program } from '../program.ts';
import { curl } from './curl.ts';
import { awk } from './awk/awk.ts';
import { node } from './node.ts';
import { npm, npx } from './npm/npm.ts';
import { sed } from './sed/sed.ts';
import { cat, fold, nl, rev, tac } from './text/cat.ts';
import { cut, paste } from './text/cut.ts';
import { head, tail } from './text/ends.ts';
import { seq, tee, yes } from './text/make.ts';
import { sort } from './text/sort.ts';
import { tr } from './text/tr.ts';
import { comm, join, uniq } from './text/uniq.ts';
import { wc } from './text/wc.ts';
import { date, touch } from './files/date.ts';
import { find } from './find/find.ts';
import { xargs } from './files/xargs.ts';
import { patch } from './patch/patch.ts';
import { unzip, zip } from './files/zip.ts';
import { du, stat } from './files/stat.ts';
import { grepOf } from './grep/grep.ts';
import { jq } from './jq/jq.ts';
import { clear, tput } from './terminal.ts';
import { dd, hexdump, od, xxd } from './files/dump.ts';
import { bc } from './math/bc.ts';
import { expr, factor, numfmt } from './math/small.ts';
import { pager, zgrep } from './pager.ts';

/** Programs that take their input as it comes and pass their output on as they make it. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  awk,
  bc,
  cat,
  clear,
  comm,
  curl,
  cut,
  date,
  dd,
  du,
  egrep: grepOf('extended'),
  expr,
  factor,
  fgrep: grepOf('fixed'),
  find,
  fold,
  gawk: awk,
  grep: grepOf('basic'),
  hd: hexdump,
  head,
  hexdump,
  join,
  jq,
  less: pager,
  more: pager,
  nl,
  node,
  npm,
  npx,
  numfmt,
  od,
  paste,
  patch,
  rev,
  sed,
  seq,
  sort,
  stat,
  tac,
  tail,
  tee,
  touch,
  tput,
  tr,
  uniq,
  unzip,
  wc,
  xargs,
  xxd,
  yes,
  zgrep,
  zip,
};

/** Of these programs, those that need all of their input before their first output. */
const GATHERING: ReadonlySet<string> = new Set([
  'bc',
  'comm',
  'dd',
  'hd',
  'hexdump',
  'join',
  'jq',
  'od',
  'patch',
  'sort',
  'tac',
  'unzip',
  'xxd',
  'zgrep',
  'zip',
]);

/** These only run another one, whose streams they pass on. */
const PASSING: ReadonlySet<string> = new Set([
  'bash',
  'env',
  'nice',
  'nohup',
  'sh',
  'stdbuf',
  'time',
  'timeout',
]);

/** Whether a program works on its input as it comes. Those that are not in {@link PROGRAMS} take all of it first. */
export function streams(name: string): boolean {
  return PASSING.has(name) || (Object.hasOwn(PROGRAMS, name) && !GATHERING.has(name));
}
