import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { openInBrowser, type Machine } from './open-in-browser.ts';

const url = 'http://localhost:4173/?recording=http%3A%2F%2Flocalhost%3A4173%2Frecording.json&lang=en';

/** Opens the address on such a machine; returns what was started. */
function started(machine: Partial<Machine>) {
  const all: { command: readonly string[]; options: unknown; child: EventEmitter; left: boolean }[] = [];
  openInBrowser(url, {
    platform: 'linux',
    isAttended: true,
    spawn: (command, args, options) => {
      const child = new EventEmitter();
      const one = { command: [command, ...args], options, child, left: false };
      all.push(one);
      return Object.assign(child, { unref: () => void (one.left = true) });
    },
    ...machine,
  });
  return all;
}

test.each([
  ['linux', ['xdg-open', url]],
  ['freebsd', ['xdg-open', url]],
  ['darwin', ['open', url]],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
] as const)('on %s the address is one argument of the command that opens it', (platform, command) => {
  const [one, ...others] = started({ platform });
  expect(others).toEqual([]);
  expect(one).toMatchObject({ command, left: true, options: { detached: true, stdio: 'ignore' } });
  expect(one?.options).not.toHaveProperty('shell');
});

test('a command that is not there is no error', () => {
  const [one] = started({});
  expect(() => one?.child.emit('error', new Error('ENOENT'))).not.toThrow();
});

test('nothing is opened where nobody sits', () => {
  expect(started({ isAttended: false })).toEqual([]);
});
