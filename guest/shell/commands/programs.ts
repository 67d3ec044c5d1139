import type { Program } from '../program.ts';
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

/** Programs that take their input as it comes and pass their output on as they make it. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  awk,
  cat,
  clear,
  comm,
  cut,
  date,
  du,
  egrep: grepOf('extended'),
  fgrep: grepOf('fixed'),
  find,
  fold,
  gawk: awk,
  grep: grepOf('basic'),
  head,
  join,
  jq,
  nl,
  node,
  npm,
  npx,
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
  yes,
  zip,
};

/** Those that end only when nobody reads on. */
export const ENDLESS: ReadonlySet<string> = new Set(['yes']);
