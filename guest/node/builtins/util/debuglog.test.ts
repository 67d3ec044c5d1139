import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isDebugged } from './debuglog.ts';

const LISTS = ['', 'a', 'b', 'a,b', 'x-*', '*', 'A', ',a', 'a b', '[a]', 'x.*', ' a'];
const SECTIONS = ['A', 'X-LOG', 'XY', '[A]'];

/** Returns what this machine's Node answers for each list and section. */
function answersOfNode(): unknown {
  const program = `const { debuglog } = require('util');
    console.log(JSON.stringify(${JSON.stringify(SECTIONS)}.map((section) => debuglog(section).enabled)))`;
  return LISTS.map((list) => {
    const { stdout } = spawnSync(process.execPath, ['-e', program], {
      env: { ...process.env, NODE_DEBUG: list },
      encoding: 'utf8',
    });
    return JSON.parse(stdout);
  });
}

describe('NODE_DEBUG', () => {
  it("enables the same sections as in this machine's Node", () => {
    expect(LISTS.map((list) => SECTIONS.map((section) => isDebugged(list, section)))).toEqual(
      answersOfNode(),
    );
  });
});
