import type { Program } from '../program.ts';
import { chmod } from './files/chmod.ts';
import { cp } from './files/cp.ts';
import { date, touch } from './files/date.ts';
import { ln } from './files/ln.ts';
import { ls } from './files/ls.ts';
import { mkdir, rmdir } from './files/mkdir.ts';
import { mktemp } from './files/mktemp.ts';
import { mv } from './files/mv.ts';
import { basename, dirname, readlink, realpath } from './files/names.ts';
import { rm } from './files/rm.ts';
import { du, stat } from './files/stat.ts';
import { xargs } from './files/xargs.ts';
import { find } from './find/find.ts';
import { grepOf } from './grep/grep.ts';
import { fromPart } from './from-part.ts';
import { helpOf } from './help.ts';
import { zgrep } from './less/pager.ts';
import { node } from './node.ts';
import { id, nproc, uname } from './system/machine.ts';
import { env, nice, nohup, setsid, stdbuf, timeout } from './system/passing.ts';
import { pgrep, pkill, ps } from './system/processes.ts';
import {
  arch,
  builtinOf,
  envsubst,
  free,
  groups,
  hostname,
  printenv,
  sleep,
  sync,
  time,
  tty,
  uptime,
  which,
  whoami,
} from './system/system.ts';
import { base64 } from './text/base64.ts';
import { cat, fold, nl, rev, tac } from './text/cat.ts';
import { cut, paste } from './text/cut.ts';
import { head, tail } from './text/ends.ts';
import { seq, tee, yes } from './text/make.ts';
import { sort } from './text/sort.ts';
import { tr } from './text/tr.ts';
import { uniq } from './text/uniq.ts';
import { wc } from './text/wc.ts';
import * as usages from './usages.ts';

export interface Command {
  /** Undefined for the shells, which the interpreter runs itself. */
  readonly program: Program | undefined;
  /** Says in one sentence what the command does, for `--help` and docs/shell.md. */
  readonly summary: string;
  /** The text for `--help` of a program that parses its words itself; others have one from their options. */
  readonly usage: string | undefined;
  /** Whether the command needs its whole input before its first output. */
  readonly buffersInput: boolean;
}

function streaming(program: Program | undefined, summary: string, usage?: string): Command {
  return { program, summary, usage, buffersInput: false };
}

function buffered(program: Program, summary: string, usage?: string): Command {
  return { program, summary, usage, buffersInput: true };
}

/** All commands but the builtins of the interpreter, by the family under which docs/shell.md has them. */
export const FAMILIES: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  Files: {
    basename: streaming(basename, 'Prints names without their folders.'),
    chmod: streaming(chmod, 'Changes who may read, write and run files.'),
    cp: streaming(cp, 'Copies files and folders.'),
    dd: streaming(fromPart('rare', 'dd'), 'Copies a file in blocks.', usages.dd),
    df: streaming(fromPart('rare', 'df'), 'Tells how much space the files take.'),
    dirname: streaming(dirname, 'Prints the folders of names.'),
    du: streaming(du, 'Tells how much space each folder takes.'),
    file: buffered(fromPart('rare', 'file'), 'Tells the type of files from their content.'),
    find: streaming(find, 'Finds files by tests, and acts on them.', usages.find),
    install: streaming(fromPart('rare', 'install'), 'Copies files and sets their mode.'),
    link: streaming(fromPart('rare', 'link'), 'Gives a file another name.'),
    ln: streaming(ln, 'Makes links.'),
    ls: streaming(ls, 'Lists folders.'),
    mkdir: streaming(mkdir, 'Makes folders.'),
    mkfifo: streaming(
      fromPart('rare', 'mkfifo'),
      'Says that there are no named pipes, and what to use instead.',
    ),
    mktemp: streaming(mktemp, 'Makes a temporary file or folder.'),
    mv: streaming(mv, 'Moves and renames files.'),
    readlink: streaming(readlink, 'Prints where a link leads.'),
    realpath: streaming(realpath, 'Prints absolute paths without links.'),
    rm: streaming(rm, 'Removes files and folders.'),
    rmdir: streaming(rmdir, 'Removes empty folders.'),
    stat: streaming(stat, 'Prints the size, mode and times of files.'),
    sync: streaming(sync, 'Ends at once: files are always written.'),
    touch: streaming(touch, 'Makes files, and sets their times.'),
    tree: streaming(fromPart('rare', 'tree'), 'Lists folders as a tree.'),
    truncate: streaming(fromPart('rare', 'truncate'), 'Sets the size of files.'),
    unlink: streaming(fromPart('rare', 'unlink'), 'Removes one name of a file.'),
  },
  Text: {
    awk: streaming(fromPart('awk', 'awk'), 'Runs a program on the fields of each line.'),
    cat: streaming(cat, 'Joins files.'),
    column: buffered(fromPart('rare', 'column'), 'Arranges lines in columns.'),
    comm: streaming(fromPart('rare', 'comm'), 'Compares two sorted files line by line.'),
    cut: streaming(cut, 'Prints parts of each line.'),
    envsubst: streaming(envsubst, 'Replaces environment variables.'),
    expand: streaming(fromPart('rare', 'expand'), 'Turns tabs into spaces.'),
    fold: streaming(fold, 'Breaks long lines.'),
    gawk: streaming(fromPart('awk', 'awk'), 'The same as awk.'),
    head: streaming(head, 'Prints the first part of files.'),
    join: streaming(fromPart('rare', 'join'), 'Joins the lines of two sorted files that share a field.'),
    jq: streaming(fromPart('jq', 'jq'), 'Filters JSON.'),
    less: streaming(fromPart('less', 'less'), 'Shows text page by page.'),
    more: streaming(fromPart('less', 'less'), 'The same as less.'),
    nl: streaming(nl, 'Numbers lines.'),
    paste: streaming(paste, 'Puts the lines of files side by side.'),
    printf: streaming(builtinOf('printf'), 'Prints values in a format.'),
    rev: streaming(rev, 'Reverses each line.'),
    sed: streaming(fromPart('sed', 'sed'), 'Edits each line by a script.'),
    seq: streaming(seq, 'Prints a sequence of numbers.'),
    shuf: buffered(fromPart('rare', 'shuf'), 'Puts lines into a random order.'),
    sort: buffered(sort, 'Sorts lines.'),
    split: streaming(fromPart('rare', 'split'), 'Splits a file into pieces.'),
    strings: buffered(fromPart('rare', 'strings'), 'Prints the readable parts of files.'),
    tac: buffered(tac, 'Prints lines in reverse order.'),
    tail: streaming(tail, 'Prints the last part of files.'),
    tee: streaming(tee, 'Copies its input to files, too.'),
    tr: streaming(tr, 'Replaces or deletes characters.'),
    unexpand: streaming(fromPart('rare', 'unexpand'), 'Turns spaces into tabs.'),
    uniq: streaming(uniq, 'Drops or counts repeated lines.'),
    wc: streaming(wc, 'Counts lines, words and bytes.'),
    yes: streaming(yes, 'Prints a line over and over.'),
  },
  'Searching and comparing': {
    cmp: buffered(fromPart('compare', 'cmp'), 'Compares two files byte by byte.'),
    diff: buffered(fromPart('compare', 'diff'), 'Shows how files and folders differ.'),
    egrep: streaming(grepOf('extended'), 'The same as grep -E.'),
    fgrep: streaming(grepOf('fixed'), 'The same as grep -F.'),
    grep: streaming(grepOf('basic'), 'Prints the lines that match a pattern.'),
    patch: buffered(fromPart('compare', 'patch'), 'Applies what diff printed.'),
    rg: streaming(fromPart('rg', 'rg'), 'Searches folders, without ignored files.'),
    zgrep: streaming(zgrep, 'Searches files that gzip has packed.', usages.zgrep),
  },
  'Archives, sums and bytes': {
    b2sum: buffered(fromPart('sums', 'b2sum'), 'Prints or checks BLAKE2b sums.'),
    base64: streaming(base64, 'Encodes and decodes base64.'),
    cksum: buffered(fromPart('sums', 'cksum'), 'Prints or checks CRC and other sums.'),
    gunzip: streaming(fromPart('archives', 'gunzip'), 'Unpacks files of gzip.'),
    gzip: streaming(fromPart('archives', 'gzip'), 'Packs files.'),
    hd: streaming(fromPart('rare', 'hexdump'), 'The same as hexdump -C.'),
    hexdump: streaming(fromPart('rare', 'hexdump'), 'Prints bytes in hexadecimal.'),
    md5sum: buffered(fromPart('sums', 'md5sum'), 'Prints or checks MD5 sums.'),
    od: streaming(fromPart('rare', 'od'), 'Prints bytes in octal and other forms.'),
    sha1sum: buffered(fromPart('sums', 'sha1sum'), 'Prints or checks SHA-1 sums.'),
    sha224sum: buffered(fromPart('sums', 'sha224sum'), 'Prints or checks SHA-224 sums.'),
    sha256sum: buffered(fromPart('sums', 'sha256sum'), 'Prints or checks SHA-256 sums.'),
    sha384sum: buffered(fromPart('sums', 'sha384sum'), 'Prints or checks SHA-384 sums.'),
    sha512sum: buffered(fromPart('sums', 'sha512sum'), 'Prints or checks SHA-512 sums.'),
    tar: streaming(fromPart('archives', 'tar'), 'Packs and unpacks archives.'),
    unzip: buffered(fromPart('archives', 'unzip'), 'Unpacks zip archives.'),
    xxd: streaming(fromPart('rare', 'xxd'), 'Prints bytes in hexadecimal, and turns that back.'),
    zcat: streaming(fromPart('archives', 'zcat'), 'Prints files that gzip has packed.'),
    zip: buffered(fromPart('archives', 'zip'), 'Packs zip archives.'),
  },
  Numbers: {
    bc: streaming(fromPart('math', 'bc'), 'Calculates with numbers of any length.'),
    expr: streaming(fromPart('math', 'expr'), 'Evaluates an expression.', usages.expr),
    factor: streaming(fromPart('math', 'factor'), 'Prints prime factors.', usages.factor),
    numfmt: streaming(fromPart('math', 'numfmt'), 'Converts numbers from and to units.'),
  },
  'Programs and the web': {
    bash: streaming(undefined, 'Runs a script, or the commands that it reads.'),
    curl: streaming(fromPart('rare', 'curl'), 'Sends requests by HTTP.'),
    env: streaming(env, 'Runs a command with other variables.', usages.env),
    nice: streaming(nice, 'Runs a command; there are no priorities.', usages.nice),
    gh: streaming(fromPart('git', 'git'), 'Makes pull requests at GitHub, and clones from it.'),
    git: streaming(fromPart('git', 'git'), 'Keeps the history of files.'),
    node: streaming(node, 'Runs JavaScript and TypeScript.'),
    nohup: streaming(
      nohup,
      'Runs a command. What stays in the background goes on as a job, with it or without.',
      usages.nohup,
    ),
    npm: streaming(fromPart('npm', 'npm'), 'Installs packages, and runs the scripts of a project.'),
    npx: streaming(fromPart('npm', 'npx'), 'Runs a program of a package.'),
    pnpm: streaming(fromPart('npm', 'pnpm'), 'The package manager pnpm, fetched from the npm registry.'),
    pnpx: streaming(fromPart('npm', 'pnpx'), 'The same as pnpm dlx.'),
    setsid: streaming(setsid, 'Runs a command; there are no sessions.', usages.setsid),
    sh: streaming(undefined, 'The same as bash.'),
    stdbuf: streaming(stdbuf, 'Runs a command; nothing is buffered anyway.', usages.stdbuf),
    time: streaming(time, 'Runs a command and tells how long it took.'),
    timeout: streaming(timeout, 'Runs a command for a limited time.', usages.timeout),
    xargs: streaming(xargs, 'Runs a command with arguments that it reads.'),
    yarn: streaming(fromPart('npm', 'yarn'), 'The package manager Yarn, fetched from the npm registry.'),
  },
  'Processes and the system': {
    arch: streaming(arch, 'Prints the kind of processor.'),
    clear: streaming(fromPart('rare', 'clear'), 'Clears the terminal.'),
    date: streaming(date, 'Prints a date in a format.'),
    free: streaming(free, 'Says that only the browser knows the memory.'),
    getopt: streaming(fromPart('rare', 'getopt'), 'Parses the options of a script.'),
    groups: streaming(groups, 'Prints the groups of a user.'),
    help: streaming(helpOf(gathers), 'Lists the commands.'),
    hostname: streaming(hostname, 'Prints the name of the host.'),
    id: streaming(id, 'Prints the user and its groups.'),
    kill: streaming(builtinOf('kill'), 'Sends signals to processes.'),
    nproc: streaming(nproc, 'Prints the number of processors.', usages.nproc),
    pgrep: streaming(pgrep, 'Finds processes by name.'),
    pkill: streaming(pkill, 'Sends signals to processes by name.'),
    printenv: streaming(printenv, 'Prints environment variables.'),
    ps: streaming(ps, 'Lists processes.'),
    sleep: streaming(sleep, 'Waits for a time.'),
    stty: streaming(fromPart('rare', 'stty'), 'Shows and changes the mode of the terminal.', usages.stty),
    tput: streaming(fromPart('rare', 'tput'), 'Prints what the terminal can do.', usages.tput),
    tty: streaming(tty, 'Prints the name of the terminal.'),
    uname: streaming(uname, 'Prints the name of the system.'),
    uptime: streaming(uptime, 'Tells how long the shell has run.'),
    which: streaming(which, 'Prints the path of a command.'),
    whoami: streaming(whoami, 'Prints the name of the user.'),
  },
  'Builtins that are programs, too': {
    alias: streaming(builtinOf('alias'), 'Defines and lists aliases.'),
    echo: streaming(builtinOf('echo'), 'Prints its arguments.'),
    false: streaming(builtinOf('false'), 'Fails.'),
    history: streaming(builtinOf('history'), 'Lists the lines that were typed.'),
    pwd: streaming(builtinOf('pwd'), 'Prints the current folder.'),
    true: streaming(builtinOf('true'), 'Succeeds.'),
    umask: streaming(builtinOf('umask'), 'Shows and sets the mode of new files.'),
    unalias: streaming(builtinOf('unalias'), 'Removes aliases.'),
  },
};

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.values(FAMILIES).flatMap((family) => Object.entries(family)),
);

function gathers(name: string): boolean {
  return COMMANDS.get(name)?.buffersInput === true;
}
