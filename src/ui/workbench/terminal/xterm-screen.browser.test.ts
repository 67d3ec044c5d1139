import { expect, onTestFinished, test } from 'vitest';
import { openTerminal } from './open-terminal.ts';

test('a flood is shown to its end in pieces, and what no one could scroll back to is left out', async () => {
  const host = document.createElement('div');
  host.style.cssText = 'width: 600px; height: 200px';
  document.body.append(host);
  const terminal = openTerminal(host);
  onTestFinished(() => {
    terminal.dispose();
    host.remove();
  });
  let turns = 0;
  const count = setInterval(() => turns++);
  await terminal.screen.print(`${'y\n'.repeat(4_000_000)}end\n`);
  clearInterval(count);
  expect(turns).toBeGreaterThan(5);
  await expect.poll(() => host.querySelector('[role=list]')?.textContent).toMatch(/y.*y.*end/);
  // Nearly all of the kept end is one row that is wiped again, and the note in front of it stays.
  await terminal.screen.print(`\n\n${'x'.repeat(1_000_000)}\n${'\r'.repeat(512 * 1024 - 6)}last\n`);
  await expect
    .poll(() => host.querySelector('[role=list]')?.textContent)
    .toMatch(/… 1\.0 million characters went by faster than they can be shown ….*last/);
});
