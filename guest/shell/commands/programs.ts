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
import { comm, join } from './text/sorted.ts';
import { uniq } from './text/uniq.ts';
import { wc } from './text/wc.ts';
import { install } from './files/install.ts';
import { getopt } from './getopt.ts';
import { gunzip, gzip, zcat } from './gzip.ts';
import { tar } from './tar.ts';
import { pgrep, pkill, ps } from './processes.ts';
import { date, touch } from './files/date.ts';
import { find } from './find/find.ts';
import { xargs } from './files/xargs.ts';
import { rg } from './rg.ts';
import { patch } from './patch/patch.ts';
import { unzip, zip } from './files/zip.ts';
import { du, stat } from './files/stat.ts';
import { grepOf } from './grep/grep.ts';
import { jq } from './jq/jq.ts';
import { clear, stty, tput } from './terminal.ts';
import { chmod } from './files/chmod.ts';
import { cp } from './files/cp.ts';
import { file } from './files/kind.ts';
import { mkdir, rmdir } from './files/mkdir.ts';
import { unlink } from './files/unlink.ts';
import { mv } from './files/mv.ts';
import { basename, dirname, readlink } from './files/names.ts';
import { md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from './files/sums.ts';
import { tree } from './files/tree.ts';
import {
  arch,
  builtinOf,
  envsubst,
  groups,
  hostname,
  printenv,
  sleep,
  sync,
  time,
  tty,
  which,
  whoami,
} from './system.ts';
import { base64 } from './text/base64.ts';
import { column } from './text/column.ts';
import { expand, unexpand } from './text/expand.ts';
import { split } from './text/split.ts';
import { strings } from './text/strings.ts';
import { dd, hexdump, od, xxd } from './files/dump.ts';
import { bc } from './math/bc.ts';
import { expr, factor, numfmt } from './math/small.ts';
import { less } from './less/less.ts';
import { zgrep } from './pager.ts';

/** Programs that take their input as it comes and pass their output on as they make it. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  alias: builtinOf('alias'),
  arch,
  awk,
  base64,
  basename,
  bc,
  cat,
  chmod,
  clear,
  column,
  comm,
  cp,
  curl,
  cut,
  date,
  dd,
  dirname,
  du,
  echo: builtinOf('echo'),
  egrep: grepOf('extended'),
  envsubst,
  expand,
  expr,
  factor,
  false: builtinOf('false'),
  fgrep: grepOf('fixed'),
  file,
  find,
  fold,
  gawk: awk,
  getopt,
  grep: grepOf('basic'),
  groups,
  gunzip,
  gzip,
  hd: hexdump,
  head,
  hexdump,
  history: builtinOf('history'),
  hostname,
  install,
  join,
  jq,
  kill: builtinOf('kill'),
  less,
  md5sum,
  mkdir,
  more: less,
  mv,
  nl,
  node,
  npm,
  npx,
  numfmt,
  od,
  paste,
  patch,
  pgrep,
  pkill,
  printenv,
  printf: builtinOf('printf'),
  ps,
  pwd: builtinOf('pwd'),
  readlink,
  rev,
  rg,
  rmdir,
  sed,
  seq,
  sha1sum,
  sha224sum,
  sha256sum,
  sha384sum,
  sha512sum,
  sleep,
  sort,
  split,
  stat,
  strings,
  stty,
  sync,
  tac,
  tail,
  tar,
  tee,
  time,
  touch,
  tput,
  tr,
  tree,
  true: builtinOf('true'),
  tty,
  umask: builtinOf('umask'),
  unalias: builtinOf('unalias'),
  unexpand,
  uniq,
  unlink,
  unzip,
  wc,
  which,
  whoami,
  xargs,
  xxd,
  yes,
  zcat,
  zgrep,
  zip,
};

/** Of these programs, those that need all of their input before their first output. */
const GATHERING: ReadonlySet<string> = new Set([
  'column',
  'file',
  'md5sum',
  'patch',
  'sha1sum',
  'sha224sum',
  'sha256sum',
  'sha384sum',
  'sha512sum',
  'sort',
  'strings',
  'tac',
  'unzip',
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
