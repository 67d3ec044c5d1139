import type { FromHost, ToHost } from '../../src/protocol/custom-tools.ts';
import { MARK } from '../../src/base/host-lines.ts';
import { Host } from './host.ts';
import type { NodeWorld } from './world.ts';

/** Set by the command line that starts the host: Node's own `require` and `process`, and the incoming lines. */
declare global {
  var vitrineHost: NodeWorld & { listen(hear: (line: string) => void): void };
}

const { listen, ...world } = globalThis.vitrineHost;
Reflect.deleteProperty(globalThis, 'vitrineHost');
const print = world.process.stdout.write.bind(world.process.stdout);
const host = new Host(world, (message: FromHost) => void print(`\n${MARK}${JSON.stringify(message)}\n`));
listen((line) => void host.hear(JSON.parse(line) as ToHost));
