import { writing } from '../../kit/io.ts';
import { parseOptions } from '../../kit/options.ts';

const SYSTEM = {
  s: 'Linux',
  n: 'localhost',
  r: '6.0.0-vitrine',
  v: '#1',
  m: 'x86_64',
  o: 'GNU/Linux',
} as const;

export const uname = writing(async (call, out) => {
  const { has } = parseOptions(call.args, {
    short: 'asnrvmpio',
    long: [
      'all=a',
      'kernel-name=s',
      'nodename=n',
      'kernel-release=r',
      'kernel-version=v',
      'machine=m',
      'operating-system=o',
    ],
  });
  const all = has.has('a');
  const shown = Object.entries(SYSTEM).filter(
    ([name]) => all || has.has(name) || (has.size === 0 && name === 's'),
  );
  if (has.has('p') || has.has('i')) shown.push(['m', SYSTEM.m]);
  await out.write(`${shown.map(([, value]) => value).join(' ')}\n`);
  return 0;
});

export const id = writing(async (call, out) => {
  const { has } = parseOptions(call.args, {
    short: 'ugGnr',
    long: ['user=u', 'group=g', 'groups=G', 'name=n', 'real=r'],
  });
  const isOne = has.has('u') || has.has('g') || has.has('G');
  if (isOne) await out.write(has.has('n') ? 'user\n' : '1000\n');
  else await out.write('uid=1000(user) gid=1000(user) groups=1000(user)\n');
  return 0;
});

export const nproc = writing(async (_call, out) => {
  await out.write('1\n');
  return 0;
});
