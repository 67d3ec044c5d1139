import type { Program } from '../program.ts';
import { curl } from './curl/curl.ts';
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
import { getopt } from './system/getopt.ts';
import { gunzip, gzip, zcat } from './archives/gzip.ts';
import { tar } from './archives/tar.ts';
import { pgrep, pkill, ps } from './system/processes.ts';
import { date, touch } from './files/date.ts';
import { find } from './find/find.ts';
import { xargs } from './files/xargs.ts';
import { rg } from './grep/rg.ts';
import { patch } from './patch/patch.ts';
import { unzip, zip } from './archives/zip.ts';
import { du, stat } from './files/stat.ts';
import { grepOf } from './grep/grep.ts';
import { jq } from './jq/jq.ts';
import { clear, stty, tput } from './system/terminal.ts';
import { chmod } from './files/chmod.ts';
import { cp } from './files/cp.ts';
import { file } from './files/kind.ts';
import { mkdir, rmdir } from './files/mkdir.ts';
import { unlink } from './files/unlink.ts';
import { mv } from './files/mv.ts';
import { basename, dirname, readlink } from './files/names.ts';
import { df } from './files/df.ts';
import { link, mkfifo } from './files/link.ts';
import { b2sum, cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from './files/sums.ts';
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
  free,
  uptime,
} from './system/system.ts';
import { base64 } from './text/base64.ts';
import { column } from './text/column.ts';
import { expand, unexpand } from './text/expand.ts';
import { split } from './text/split.ts';
import { strings } from './text/strings.ts';
import { dd, hexdump, od, xxd } from './files/dump.ts';
import { bc } from './math/bc.ts';
import { expr, factor, numfmt } from './math/small.ts';
import { less } from './less/less.ts';
import { zgrep } from './less/pager.ts';

/** Programs that read their input as it arrives and write their output as they make it. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  alias: builtinOf('alias'),
  arch,
  awk,
  b2sum,
  base64,
  basename,
  bc,
  cat,
  chmod,
  cksum,
  clear,
  column,
  comm,
  cp,
  curl,
  cut,
  date,
  dd,
  df,
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
  free,
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
  link,
  md5sum,
  mkdir,
  mkfifo,
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
  uptime,
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

/** The programs above that need their whole input before their first output. */
const GATHERING: ReadonlySet<string> = new Set([
  'b2sum',
  'cksum',
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

/** Programs that only run another one and pass its streams on. */
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

/**
 * Whether a program works on its input as it arrives. Programs outside {@link PROGRAMS} read all of it first.
 */
export function streams(name: string): boolean {
  return PASSING.has(name) || (Object.hasOwn(PROGRAMS, name) && !GATHERING.has(name));
}
