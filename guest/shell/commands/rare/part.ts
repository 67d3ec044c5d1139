import type { Program } from '../../program.ts';
import { curl } from '../curl/curl.ts';
import { df } from '../files/df.ts';
import { dd, hexdump, od, xxd } from '../files/dump.ts';
import { install } from '../files/install.ts';
import { file } from '../files/kind.ts';
import { link, mkfifo } from '../files/link.ts';
import { tree } from '../files/tree.ts';
import { truncate } from '../files/truncate.ts';
import { unlink } from '../files/unlink.ts';
import { getopt } from '../system/getopt.ts';
import { clear, stty, tput } from '../system/terminal.ts';
import { column } from '../text/column.ts';
import { expand, unexpand } from '../text/expand.ts';
import { shuf } from '../text/shuf.ts';
import { comm, join } from '../text/sorted.ts';
import { split } from '../text/split.ts';
import { strings } from '../text/strings.ts';

/** The programs of this part of the shell, by the name that the registry loads each by. */
export const programs = {
  clear,
  column,
  comm,
  curl,
  dd,
  df,
  expand,
  file,
  getopt,
  hexdump,
  install,
  join,
  link,
  mkfifo,
  od,
  shuf,
  split,
  strings,
  stty,
  tput,
  tree,
  truncate,
  unexpand,
  unlink,
  xxd,
} satisfies Readonly<Record<string, Program>>;
