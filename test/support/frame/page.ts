// A page with one embedded workspace, for tests of the frame in a whole browser. It runs the scenario that its address
// names and reports to its server: when a frame's process dies, Playwright can no longer ask the page itself.
import '../../../src/base/zod-config.ts';
import kernelUrl from 'guest:guest/kernel/main.ts';
import searchUrl from 'guest:guest/search/main.ts';
import { asScript, loadScript } from '../../../src/base/parts.ts';
import { EmbeddedWorkspace } from '../../../src/workspace/embedded/embedded-workspace.ts';
import { connectFrame } from '../../../src/workspace/embedded/frame.ts';
import { openEmbedded, sandboxUrl } from '../../../src/workspace/embedded/open.ts';
import { MemoryJournal } from '../../../src/workspace/memory-journal.ts';
import { exec } from '../../../src/workspace/workspace.ts';

const journal = new MemoryJournal();

/** Commands run, a runaway one is ended, and the workspace goes on. */
async function job() {
  const workspace = openEmbedded({ id: 'wsp_frame', journal, container: document.body });
  const first = await exec(workspace, 'echo hi > made.txt; cat made.txt');
  const runaway = await exec(workspace, 'echo before; while :; do :; done', { timeoutMs: 300 });
  const after = await exec(workspace, 'cat made.txt');
  return {
    isolated: crossOriginIsolated,
    outputs: [first.output, runaway.output, after.output],
    runaway: runaway.reason,
  };
}

const BOMB = `
onmessage = ({ data }) => {
  if (data.kind !== 'run') return;
  const kept = [];
  for (;;) kept.push(new Array(100000).fill(data).map((each) => ({ each })));
};
postMessage({ kind: 'ready', commands: [] });
`;

/** A program takes all the memory that a process may have. */
async function bomb() {
  const workspace = new EmbeddedWorkspace({
    id: 'wsp_frame',
    journal,
    connect: () =>
      connectFrame({
        container: document.body,
        url: sandboxUrl(),
        kernel: () => loadScript(kernelUrl),
      }),
    programs: async () => ({ shell: asScript(BOMB), search: await loadScript(searchUrl) }),
  });
  const states: string[] = [];
  workspace.onStatus(({ state }) => states.push(state));
  await workspace.files.write('kept.txt', new TextEncoder().encode('kept'));
  const result = await exec(workspace, 'boom');
  const kept = new TextDecoder().decode(await workspace.files.read('kept.txt'));
  return { states, reason: result.reason, output: result.output, kept };
}

const scenarios: Readonly<Record<string, () => Promise<unknown>>> = { job, bomb };
const report = await scenarios[location.hash.slice(1)]?.().catch((error: unknown) => String(error));
await fetch('report', { method: 'POST', body: JSON.stringify(report) });
