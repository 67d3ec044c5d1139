import type { FromHost, ToHost } from '../../src/extensions/custom/protocol.ts';
import { MARK } from '../../src/base/host-lines.ts';
import { Host } from './host.ts';
import type { NodeWorld } from './world.ts';

/** What the line that starts it leaves behind: node's own `require` and `process`, and the lines that come in. */
declare global {
  var vitrineHost: NodeWorld & { listen(hear: (line: string) => void): void };
}

const { listen, ...world } = globalThis.vitrineHost;
Reflect.deleteProperty(globalThis, 'vitrineHost');
const print = world.process.stdout.write.bind(world.process.stdout);
const host = new Host(world, (message: FromHost) => void print(`\n${MARK}${JSON.stringify(message)}\n`));
listen((line) => void host.hear(JSON.parse(line) as ToHost));
