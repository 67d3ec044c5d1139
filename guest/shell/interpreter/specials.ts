import { lineOf } from './source.ts';
import { Variable, Variables, type Attribute } from './variables.ts';
import { Shell } from './shell.ts';

export const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

type Compute = (shell: Shell) => string | string[];

/** Variables that the shell computes when they are read. */
const COMPUTED: Readonly<Record<string, Compute>> = {
  RANDOM: () => String(Math.floor(Math.random() * 32_768)),
  SRANDOM: () => String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0),
  SECONDS: (shell) => String(Math.floor((performance.now() - shell.started) / 1000)),
  LINENO: (shell) => String(shell.line),
  BASH_COMMAND: ({ command: { source, from, to } }) => source.text.slice(from, to),
  BASHPID: (shell) => String(shell.process.pid),
  BASH_SUBSHELL: (shell) => String(shell.subshells),
  EPOCHSECONDS: () => String(Math.floor(Date.now() / 1000)),
  EPOCHREALTIME: () => ((performance.timeOrigin + performance.now()) / 1000).toFixed(6),
  PIPESTATUS: (shell) => (shell.pipeStatus ?? [shell.status]).map(String),
  DIRSTACK: (shell) => [shell.cwd, ...shell.folders],
  FUNCNAME: (shell) =>
    shell.frames.some(({ isFunction }) => isFunction)
      ? [...names(shell), ...(outermost(shell).name === undefined ? [] : ['main'])]
      : [],
  BASH_SOURCE: (shell) => sources(shell),
  BASH_LINENO: (shell) =>
    shell.frames
      .toReversed()
      .map((frame) => String(lineOf(frame.callSource, frame.callAt)))
      .concat(outermost(shell).name === undefined ? [] : ['0']),
  SHELLOPTS: (shell) => on(shell.options),
  BASHOPTS: (shell) => on(shell.shopt),
  GROUPS: () => ['1000'],
};

function names(shell: Shell): string[] {
  return shell.frames.toReversed().map(({ name, isFunction }) => (isFunction ? name : 'source'));
}

/** The script that the shell runs, which has no name where it comes from `-c` or from the input. */
function outermost(shell: Shell) {
  return shell.frames[0]?.callSource ?? shell.source;
}

function sources(shell: Shell): string[] {
  const called = shell.frames
    .toReversed()
    .map(({ source }) => source.name ?? (shell.name === 'bash' ? 'environment' : shell.name));
  const first = outermost(shell);
  return first.name === undefined ? called : [...called, first.name];
}

function on(options: ReadonlyMap<string, boolean>): string {
  return [...options].flatMap(([name, isOn]) => (isOn ? [name] : [])).join(':');
}

/** Makes the variables of a new shell: its environment and the shell's own. */
export function provideSpecials(env: ReadonlyMap<string, string>, cwd: string, parentPid: number): Variables {
  const variables = new Variables();
  for (const [name, value] of env) {
    if (/^[A-Za-z_]\w*$/.test(name)) variables.provide(name, new Variable(value, ['exported']));
  }
  const given = (name: string, value: string, ...attributes: Attribute[]) => {
    if (!variables.own(name)) variables.provide(name, new Variable(value, attributes));
  };
  given('PATH', USUAL_PATH);
  given('PS4', '+ ');
  given('OPTIND', '1');
  given('OPTERR', '1');
  given('HOSTNAME', 'localhost');
  given('HOSTTYPE', 'x86_64');
  given('MACHTYPE', 'x86_64-pc-linux-gnu');
  given('OSTYPE', 'linux-gnu');
  given('BASH', '/bin/bash');
  given('BASH_VERSION', '5.2.15(1)-release');
  given('TERM', 'dumb');
  given('PPID', String(parentPid), 'readonly', 'integer');
  given('UID', '1000', 'readonly', 'integer');
  given('EUID', '1000', 'readonly', 'integer');
  if (variables.get('PWD') !== cwd) variables.provide('PWD', new Variable(cwd, ['exported']));
  if (!variables.own('OLDPWD')) variables.provide('OLDPWD', new Variable(undefined, ['exported']));
  variables.provide('IFS', new Variable(' \t\n'));
  variables.provide('SHLVL', new Variable(String(Number(env.get('SHLVL') ?? 0) + 1), ['exported']));
  const versions = new Variable();
  versions.list = ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu'];
  versions.attributes.add('readonly');
  variables.provide('BASH_VERSINFO', versions);
  for (const [name, compute] of Object.entries(COMPUTED)) {
    const variable = new Variable();
    variable.compute = ({ owner }) => (owner instanceof Shell ? compute(owner) : '');
    variable.assigned = ({ owner }, value) => {
      if (name === 'SECONDS' && owner instanceof Shell)
        owner.started = performance.now() - Number(value) * 1000;
    };
    variables.provide(name, variable);
  }
  return variables;
}
