import searchUrl from 'guest:guest/search/main.ts';
import kernelUrl from 'guest:guest/kernel/main.ts';
import { DATA_AT } from '../../../guest/shared/shared-answer.ts';
import shellUrl from 'guest:guest/shell/main.ts';
import parserUrl from 'guest:guest/shell/parser/main.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { asScript, loadScript } from '../../base/parts.ts';
import { EmbeddedWorkspace } from './embedded-workspace.ts';
import { connectFrame } from './frame.ts';

/**
 * Replaces the shell and runs each command as JavaScript, so that it can try anything that a program in the workspace
 * could. Only a test can pass it in.
 */
const PROBE = `
const violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
onmessage = async ({ data }) => {
  if (data.kind === 'rest') return postMessage({ kind: 'rested' });
  if (data.kind !== 'run') return;
  violations.length = 0;
  let text;
  try { text = String(await eval('(async () => {' + data.script + '})()')); }
  catch (error) { text = 'refused: ' + error.name; }
  await new Promise((resolve) => setTimeout(resolve));
  if (violations.length) text += ' [' + violations[0] + ']';
  postMessage({ kind: 'output', run: data.run, bytes: new TextEncoder().encode(text) });
  postMessage({ kind: 'done', run: data.run, exitCode: 0, cwd: data.cwd });
};
postMessage({ kind: 'ready' });
`;

const sandbox = new URL('/sandbox.html', location.href);

describe('a program in the workspace', () => {
  let workspace: EmbeddedWorkspace;
  const probe = async (script: string) => (await exec(workspace, script, { timeoutMs: 5000 })).output;

  beforeAll(async () => {
    document.cookie = 'secret=1';
    localStorage.setItem('secret', '1');
    workspace = new EmbeddedWorkspace({
      id: 'wsp_probe',
      journal: new MemoryJournal(),
      connect: () =>
        connectFrame({ container: document.body, url: sandbox, kernel: () => loadScript(kernelUrl) }),
      programs: async () => ({ shell: asScript(PROBE), search: await loadScript(searchUrl) }),
    });
    await workspace.files.write('x', new Uint8Array());
  });
  afterAll(() => workspace.close());

  test('has an origin of its own, and shared memory where the page is isolated', async () => {
    expect(await probe('return [self.origin, self.crossOriginIsolated, typeof SharedArrayBuffer]')).toBe(
      `null,${crossOriginIsolated},${crossOriginIsolated ? 'function' : 'undefined'}`,
    );
  });

  test.for([
    'indexedDB.open("vitrine")',
    'await indexedDB.databases()',
    'await navigator.storage.getDirectory()',
    'await caches.keys()',
    'await navigator.locks.query()',
    'await navigator.serviceWorker.getRegistrations()',
    'await cookieStore.getAll()',
    'document.cookie',
    'localStorage.getItem("secret")',
    'sessionStorage.length',
    'new SharedWorker("data:,")',
    'window.parent.document',
    'parent.document',
    'top.location',
  ])('cannot reach %s', async (expression) => {
    expect(await probe(`return ${expression}`)).toMatch(/^refused: (SecurityError|ReferenceError|TypeError)/);
  });

  test.for([
    ['await fetch(APP)', 'connect-src'],
    ['await fetch(APP, { mode: "no-cors" })', 'connect-src'],
    ['await fetch(APP, { mode: "no-cors", method: "POST", body: "files" })', 'connect-src'],
    ['await fetch("https://example.com/?leak", { mode: "no-cors" })', 'connect-src'],
    [
      'await new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = () => no(new TypeError()); x.open("GET", APP); x.send(); })',
      'connect-src',
    ],
    [
      '(() => { const x = new XMLHttpRequest(); x.open("GET", APP, false); x.send(); return x.responseText; })()',
      'connect-src',
    ],
    [
      'await new Promise((ok, no) => { const s = new WebSocket(APP.replace("http", "ws")); s.onopen = ok; s.onerror = () => no(new TypeError()); })',
      'connect-src',
    ],
    [
      'await new Promise((ok, no) => { const s = new EventSource(APP); s.onopen = ok; s.onerror = () => no(new TypeError()); })',
      'connect-src',
    ],
    ['importScripts(APP)', 'script-src-elem'],
    ['await import(APP)', 'script-src-elem'],
    ['await import("data:text/javascript,export default 1")', 'script-src-elem'],
  ] as const)('cannot load by %s', async ([expression, directive]) => {
    const app = JSON.stringify(new URL('/sandbox.html', location.href).href);
    const said = await probe(`const APP = ${app}; return ${expression}`);
    expect(said).toMatch(/^refused: (TypeError|NetworkError|SecurityError)/);
    expect(said).toContain(`[${directive}]`);
  });

  test('is not heard on a channel of the app', async () => {
    const heard: unknown[] = [];
    const channel = new BroadcastChannel('vitrine');
    channel.onmessage = ({ data }) => heard.push(data);
    await probe('new BroadcastChannel("vitrine").postMessage("from inside")');
    // A message over a second channel shows that one over the first would have arrived by now.
    const witness = new BroadcastChannel('vitrine');
    const arrived = new Promise((resolve) => channel.addEventListener('message', resolve));
    witness.postMessage('from the app');
    await arrived;
    expect(heard).toEqual(['from the app']);
    channel.close();
    witness.close();
  });

  test('may start a worker, which is no freer', async () => {
    const said = await probe(`
      const code = 'onmessage = () => postMessage([self.origin, typeof localStorage].join())';
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      worker.postMessage(0);
      return new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
    `);
    expect(said).toBe('null,undefined');
  });

  test.for([
    'null',
    '1',
    '{}',
    '{ kind: "fs" }',
    '{ kind: "fs", id: 1, run: data.run, call: null }',
    '{ kind: "fs", id: 1, run: data.run, call: { op: "write", path: "x", content: { byteLength: -1e12 } } }',
    '{ kind: "fs", id: 1, run: data.run, call: { op: "chmod", path: "x", mode: NaN } }',
    '{ kind: "output", run: data.run, bytes: "text" }',
    '{ kind: "done", run: data.run, exitCode: "0", cwd: "/" }',
    '{ kind: "done", run: data.run, exitCode: 2 ** 60, cwd: "/" }',
    '{ kind: "lineDone", run: data.run, state: { count: -1, exitCode: 0, cwd: "/", isIdle: true, unread: "", names: { commands: [], variables: [] } } }',
    '{ kind: "lineDone", run: data.run, state: { count: 1, exitCode: 2 ** 60, cwd: "/", isIdle: true, unread: "", names: { commands: [], variables: [] } } }',
    // This is no interactive shell, so it may not report finished lines, which reset the limit on output.
    '{ kind: "lineDone", run: data.run, state: { count: 1, exitCode: 0, cwd: "/", isIdle: true, unread: "", names: { commands: [], variables: [] } } }',
    '{ kind: "keyboard", run: data.run, mode: { raw: true, echo: false } }',
    '{ kind: "__proto__" }',
  ])('that says %s is lost, and nobody else', async (nonsense) => {
    const result = await exec(workspace, `postMessage(${nonsense}); await new Promise(() => {})`, {
      timeoutMs: 5000,
    });
    expect(result).toMatchObject({
      reason: 'lost',
      output: expect.stringContaining('the shell stopped unexpectedly: it sent an invalid message'),
    });
    expect(await workspace.files.stat('x')).toMatchObject({ size: 0, mode: 0o644 });
    expect(await probe('return 1')).toBe('1');
  });

  test('that sends messages to the app’s windows is not heard as the kernel', async () => {
    // It can only talk to the kernel: there is no window, port or channel to anything else.
    expect(await probe('return [typeof window, typeof parent, typeof opener, typeof clients].join()')).toBe(
      'undefined,undefined,undefined,undefined',
    );
  });
});

/** Replaces `node`: like a program that has taken over node's own code, with nothing between it and the kernel. */
const NODE_PROBE = `
const words = [];
onmessage = async ({ data }) => {
  if (data.kind !== 'start') return words.push(data);
  const say = (message, transfer) => postMessage(message, { transfer });
  const print = (text) => say({ kind: 'output', stream: 1, bytes: new TextEncoder().encode(text) });
  const state = new Int32Array(data.shared, 0, 16);
  const ask = (call) => {
    Atomics.store(state, 0, 2);
    say({ kind: 'call', call });
    Atomics.wait(state, 0, 2, 2000);
    const text = new TextDecoder().decode(new Uint8Array(data.shared, ${DATA_AT}, Math.min(state[2], 4096)).slice());
    return state[1] === 3 ? JSON.parse(text).code : state[1] === 2 ? text : state[1];
  };
  const files = (call) => ask({ kind: 'files', call });
  const bytes = new Uint8Array(1);
  await eval('(async () => {' + data.args[0] + '})()');
  say({ kind: 'exit', exitCode: 0 });
};
postMessage({ kind: 'ready' });
`;

describe.runIf(crossOriginIsolated)('a program that speaks for node', () => {
  let workspace: EmbeddedWorkspace;
  const probe = (script: string, before = '') => {
    const command = `${before}node '${script.replaceAll("'", '"')}'; echo " $?"`;
    return exec(workspace, command, { timeoutMs: 8000 });
  };

  beforeAll(async () => {
    workspace = new EmbeddedWorkspace({
      id: 'wsp_node_probe',
      journal: new MemoryJournal(),
      connect: () =>
        connectFrame({ container: document.body, url: sandbox, kernel: () => loadScript(kernelUrl) }),
      programs: async () => ({
        shell: asScript(await loadScript(parserUrl), '\n', await loadScript(shellUrl)),
        search: await loadScript(searchUrl),
      }),
      nodeProgram: async () => asScript(NODE_PROBE),
    });
    await workspace.files.write('x', new TextEncoder().encode('mine'));
  });
  afterAll(() => workspace.close());

  test.for([
    'null',
    '{ kind: "__proto__" }',
    '{ kind: "output", stream: 3, bytes }',
    '{ kind: "output", stream: 1, bytes: new Uint8Array(new SharedArrayBuffer(4)) }',
    '{ kind: "output", stream: 1, bytes: { byteLength: -1e12 } }',
    '{ kind: "exit", exitCode: "0" }',
    '{ kind: "exit", exitCode: 0, signal: "SIGNONE" }',
    '{ kind: "catches", signals: ["__proto__"] }',
    '{ kind: "message", data: 1, transfer: 7 }',
    '{ kind: "child", message: { kind: "startChild", start: { id: 1, cwd: "/", env: { a: 1 }, program: { kind: "node", args: [] } } } }',
    '{ kind: "child", message: { kind: "childInput", id: 1, bytes: "text" } }',
    '{ kind: "child", message: { kind: "childOutputUsed", id: 1, bytes: NaN } }',
    '{ kind: "child", message: { kind: "fetch", request: { url: 1 }, channel: null } }',
    '{ kind: "call", call: { kind: "listen", port: 1e9 } }',
    '{ kind: "call", call: { kind: "files", call: { op: "readAt", handle: 1, position: 0, length: 2 ** 52 } } }',
    '{ kind: "call", call: { kind: "files", call: { op: "truncate", handle: 1, length: -1 } } }',
    '{ kind: "call", call: { kind: "files", call: { op: "writeAt", handle: 1, position: 2 ** 50, content: bytes } } }',
    '{ kind: "call", call: { kind: "files", call: { op: "utimes", path: "x", modified: Infinity } } }',
    '{ kind: "call", call: { kind: "runChild", start: null, input: bytes } }',
  ])('that says %s is ended, and nobody else', async (nonsense) => {
    const { output, reason } = await probe(`say(${nonsense}); await new Promise(() => {})`);
    expect({ output, reason }).toEqual({
      output: 'vitrine: the process stopped unexpectedly: it sent an invalid message\n 137\n',
      reason: 'exit',
    });
    expect((await exec(workspace, 'cat x')).output).toBe('mine');
    expect(workspace.status).toEqual({ state: 'ready' });
  });

  test('has no more of the files than any program', async () => {
    const { output } = await probe(`
      const tries = [
        { op: "write", path: "/etc/passwd", content: bytes },
        { op: "write", path: "../../x", content: bytes },
        { op: "write", path: "/home/.opencode/x", content: bytes },
        { op: "rm", path: "/home", recursive: true, force: true },
        { op: "mv", from: "/home/project", to: "/tmp/p" },
        { op: "fstat", handle: 1 }, { op: "close", handle: -1 }, { op: "readAt", handle: 1, position: -9, length: 9 },
        { op: "nothing", path: "x" }, { op: "__proto__", path: "x" }, { op: "constructor", path: "x" },
        { op: "symlink", target: "x".repeat(1e6), path: "link" },
      ];
      print(tries.map(files).join(" "));`);
    expect(output).toBe(
      'EACCES EACCES EACCES EACCES EACCES EBADF EBADF EBADF EINVAL EINVAL EINVAL ENAMETOOLONG 0\n',
    );
  });

  test('cannot speak for another process: its numbers are its own', async () => {
    const { output } = await probe(
      `for (let id = 0; id < 200; id++) {
         for (const kind of ["endChildInput", "disconnectChild"]) say({ kind: "child", message: { kind, id } });
         say({ kind: "child", message: { kind: "signalChild", id, signal: "SIGKILL" } });
         say({ kind: "child", message: { kind: "childInput", id, bytes } });
         say({ kind: "child", message: { kind: "childOutputUsed", id, bytes: -1e15 } });
         say({ kind: "unwatch", watch: id }); say({ kind: "unlisten", address: id });
       }
       print("tried");`,
      '(sleep 0.5; echo other $?) & ',
    );
    expect(output).toBe('tried 0\nother 0\n');
  });

  test('that wants what cannot be handed on to be handed on is ended', async () => {
    const { output } = await probe(`
      const start = { id: 1, cwd: "/home/project", env: {}, channel: true, program: { kind: "node", args: ["await new Promise(() => {})"] } };
      ask({ kind: "startChild", start });
      say({ kind: "child", message: { kind: "messageChild", id: 1, data: 1, transfer: [1, {}] } });
      await new Promise(() => {});`);
    expect(output).toBe('vitrine: the process stopped unexpectedly: it sent an invalid message\n 137\n');
    expect((await exec(workspace, 'echo well')).output).toBe('well\n');
  });

  test('writes nothing more once it was ended', async () => {
    await exec(
      workspace,
      `node 'for (;;) files({ op: "append", path: "alive", content: bytes })' &
      until [ -s alive ]; do sleep 0.05; done
      kill -9 $!`,
    );
    const size = async () => (await workspace.files.stat('alive'))?.size;
    const before = await size();
    expect(before).toBeGreaterThan(0);
    // The program may keep running for a moment before the browser stops it.
    await exec(workspace, 'sleep 0.5');
    expect(await size()).toBe(before);
  });
});

describe('sandbox.html', () => {
  const shown = async (sandboxed: string | null) => {
    const frame = document.createElement('iframe');
    if (sandboxed !== null) frame.setAttribute('sandbox', sandboxed);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = sandbox.href;
    document.body.append(frame);
    await loaded;
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise<string>((resolve) => (port1.onmessage = () => resolve('answered')));
    const kernel = asScript('onmessage = ({ data }) => data.postMessage("alive")');
    frame.contentWindow?.postMessage({ kernel }, '*', [port2]);
    return { frame, answered };
  };

  test.for([null, 'allow-scripts allow-same-origin'])(
    'refuses to run in a frame with sandbox=%s',
    async (sandboxed) => {
      const { frame, answered } = await shown(sandboxed);
      expect(frame.contentDocument?.body.textContent).toContain('only runs inside the app');
      // The same message makes a sandboxed frame answer. If this one listened, it would have answered first.
      const witness = await shown('allow-scripts');
      const first = await Promise.race([answered, witness.answered.then(() => 'only the witness')]);
      expect(first).toBe('only the witness');
      frame.remove();
      witness.frame.remove();
    },
  );

  test('takes one port, once', async () => {
    const { frame, answered } = await shown('allow-scripts');
    await answered;
    const { port1, port2 } = new MessageChannel();
    let second = false;
    port1.onmessage = () => (second = true);
    const kernel = asScript('onmessage = ({ data }) => data.postMessage("again")');
    frame.contentWindow?.postMessage({ kernel }, '*', [port2]);
    const witness = await shown('allow-scripts');
    await witness.answered;
    expect(second).toBe(false);
    frame.remove();
    witness.frame.remove();
  });
});
