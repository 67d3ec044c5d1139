import type { MakeBuiltin } from './builtin.ts';
import { systemErrors } from './internal/errno.ts';
import { needInteger } from './internal/errors.ts';
import { SIGNAL_NUMBERS } from '../../shared/signals.ts';

const priority = {
  PRIORITY_LOW: 19,
  PRIORITY_BELOW_NORMAL: 10,
  PRIORITY_NORMAL: 0,
  PRIORITY_ABOVE_NORMAL: -7,
  PRIORITY_HIGH: -14,
  PRIORITY_HIGHEST: -20,
};

const GIGABYTE = 1024 ** 3;
const without = <Value extends object>(value: Value) => Object.assign(Object.create(null) as Value, value);

/**
 * Makes `node:os` for the system that the workspace imitates. Figures that the page cannot know are round.
 */
export const makeOs: MakeBuiltin = ({ process }) => {
  const cpus = () => navigator.hardwareConcurrency || 1;
  const started = Date.now();
  let given = 0;
  return {
    arch: () => 'x64',
    availableParallelism: cpus,
    cpus: () =>
      Array.from({ length: cpus() }, () => ({
        model: 'Embedded workspace',
        speed: 0,
        times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 },
      })),
    endianness: () => 'LE',
    freemem: () => GIGABYTE,
    getPriority: () => given,
    setPriority: (pid: unknown, value?: unknown) => {
      const wanted = value === undefined ? pid : value;
      needInteger(wanted, 'priority', -20, 19);
      given = wanted;
    },
    homedir: () => process.env.HOME ?? '/root',
    hostname: () => process.env.HOSTNAME ?? 'localhost',
    loadavg: () => [0, 0, 0],
    networkInterfaces: () => ({
      lo: [
        {
          address: '127.0.0.1',
          netmask: '255.0.0.0',
          family: 'IPv4',
          mac: '00:00:00:00:00:00',
          internal: true,
          cidr: '127.0.0.1/8',
        },
      ],
    }),
    platform: () => 'linux',
    release: () => '6.1.0-vitrine',
    tmpdir: () => {
      const { TMPDIR, TMP, TEMP } = process.env;
      const path = TMPDIR || TMP || TEMP || '/tmp';
      return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    },
    totalmem: () => 4 * GIGABYTE,
    type: () => 'Linux',
    userInfo: () => ({
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      username: process.env.USER ?? 'root',
      homedir: process.env.HOME ?? '/root',
      shell: '/bin/bash',
    }),
    uptime: () => Math.round((Date.now() - started) / 10) / 100 + 1,
    version: () => '#1 Vitrine',
    machine: () => 'x86_64',
    devNull: '/dev/null',
    EOL: '\n',
    constants: without({
      UV_UDP_REUSEADDR: 4,
      dlopen: without({ RTLD_LAZY: 1, RTLD_NOW: 2, RTLD_GLOBAL: 256, RTLD_LOCAL: 0, RTLD_DEEPBIND: 8 }),
      errno: without(
        Object.fromEntries(
          systemErrors.filter(({ code }) => code !== 'EOF').map(({ code, number }) => [code, number]),
        ),
      ),
      signals: Object.freeze(without({ ...SIGNAL_NUMBERS })),
      priority: without(priority),
    }),
  };
};
