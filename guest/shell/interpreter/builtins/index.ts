import type { Builtin } from './builtin.ts';
import { compgen, complete } from './completion.ts';
import * as control from './control.ts';
import { declare, exportVariables, letNumbers, local, readonlyVariables, unset } from './declare.ts';
import { cd, dirs, popd, pushd, pwd } from './folders.ts';
import { help } from './help.ts';
import * as jobs from './jobs.ts';
import * as others from './others.ts';
import { echo } from './output.ts';
import { printf } from './printf.ts';
import { mapfile, read } from './read.ts';
import { set, shopt } from './set.ts';
import { bracket, test } from './test.ts';
import { trap } from './trap.ts';

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries<Builtin>({
    '.': control.source,
    ':': control.nothing,
    '[': bracket,
    alias: others.alias,
    bg: jobs.bg,
    break: control.breakLoop,
    builtin: control.builtin,
    caller: control.caller,
    cd,
    command: control.command,
    compgen,
    complete,
    compopt: complete,
    continue: control.continueLoop,
    declare,
    dirs,
    disown: jobs.disown,
    echo,
    enable: others.enable,
    eval: control.evalText,
    exec: control.exec,
    exit: control.exit,
    export: exportVariables,
    false: control.fail,
    fg: jobs.fg,
    getopts: others.getopts,
    hash: others.hash,
    help,
    history: others.history,
    jobs: jobs.jobs,
    kill: jobs.kill,
    let: letNumbers,
    local,
    logout: control.logout,
    mapfile,
    popd,
    printf,
    pushd,
    pwd,
    read,
    readarray: mapfile,
    readonly: readonlyVariables,
    return: control.returnFrom,
    set,
    shift: control.shift,
    shopt,
    source: control.source,
    test,
    times: others.times,
    trap,
    true: control.nothing,
    type: control.type,
    typeset: declare,
    ulimit: others.ulimit,
    umask: others.umask,
    unalias: others.unalias,
    unset,
    wait: jobs.wait,
  }),
);

/** Builtins that accept assignments as arguments. */
export const declaring: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
