import { openStorage } from '../../src/storage/open.ts';
import { openEmbedded } from '../../src/workspace/embedded/open.ts';
import { exec, ROOT, type Workspace } from '../../src/workspace/workspace.ts';

/** Writes the files of one chunk below `node_modules`, as an install does: each folder and each file by a call of its own. */
const UNPACK = `const fs = require('fs');
const path = require('path');
const chunk = fs.readFileSync('.chunk');
const end = chunk.indexOf(10);
const made = new Set();
let at = end + 1;
for (const [name, length] of JSON.parse(chunk.subarray(0, end).toString())) {
  const folder = path.dirname(name);
  if (!made.has(folder)) fs.mkdirSync(folder, { recursive: true });
  made.add(folder);
  fs.writeFileSync(name, chunk.subarray(at, at + length));
  at += length;
}
`;

/** A workspace whose `node_modules` is as large as that of a real project. */
export class PagePackages {
  #workspace: Workspace | undefined;

  /** Milliseconds until the shell of the workspace has run a command. */
  async open(id: string): Promise<number> {
    const started = performance.now();
    const storage = await openStorage({ onProblem: (fault) => console.error(fault) });
    this.#workspace = openEmbedded({ id, journal: storage.journal(id), container: document.body });
    await this.run('echo ready');
    return performance.now() - started;
  }

  /** Gets names and lengths as a line of JSON, followed by the contents. */
  async install(chunk: string): Promise<number> {
    const { files } = this.#opened();
    await files.write(`${ROOT}/unpack.cjs`, new TextEncoder().encode(UNPACK));
    await files.write(`${ROOT}/.chunk`, new Uint8Array(await (await fetch(chunk)).arrayBuffer()));
    const started = performance.now();
    await this.run('node unpack.cjs');
    const took = performance.now() - started;
    await files.remove(`${ROOT}/.chunk`);
    return took;
  }

  /** Milliseconds until everything is stored. */
  async stored(): Promise<number> {
    const started = performance.now();
    await this.#opened().durable();
    return performance.now() - started;
  }

  async run(command: string): Promise<string> {
    const { output, exitCode } = await exec(this.#opened(), command);
    if (exitCode !== 0) throw new Error(`${command}: ${output}`);
    return output;
  }

  /** Megabytes that the storage of this page takes. */
  async usage(): Promise<number> {
    return ((await navigator.storage.estimate()).usage ?? 0) / 1e6;
  }

  async close(): Promise<void> {
    await this.#workspace?.close();
    this.#workspace = undefined;
  }

  #opened(): Workspace {
    if (!this.#workspace) throw new Error('open() comes first');
    return this.#workspace;
  }
}
