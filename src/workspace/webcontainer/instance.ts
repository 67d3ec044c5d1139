import { digestBytes } from '../../base/hash.ts';
import type { Timer } from '../../base/timer.ts';
import { ROOT, type Server } from '../workspace.ts';
import { Container, type Client } from './container.ts';
import { Helper } from './helper.ts';
import type { KeptNode } from './journal-files.ts';
import type { Mirror, MirrorNode } from './mirror.ts';
import { packTree, treeOf, type PackedNode } from './packed-tree.ts';

/** A container from one boot to its end. */
export interface ContainerInstance {
  readonly container: Container;
  readonly helper: Helper;
  readonly servers: Map<number, Server>;
  /** Rejects all open calls. Does not tear the container down. */
  end(): void;
}

export interface InstanceEvents {
  died(reason: string): void;
  stuck(): void;
  serversChanged(): void;
}

export function startInstance(
  client: Client,
  options: { readonly timer: Timer; readonly helper: () => Promise<string>; readonly callMs?: number },
  events: InstanceEvents,
): ContainerInstance {
  const { timer, callMs } = options;
  const container = new Container({
    client,
    timer,
    died: (reason) => events.died(reason),
    ...(callMs !== undefined && { callMs }),
  });
  const helper = new Helper({ container, timer, source: options.helper, stuck: () => events.stuck() });
  const servers = new Map<number, Server>();
  client.on('port', (port, type, url) => {
    if (type === 'open') servers.set(port, { port, url });
    else servers.delete(port);
    events.serversChanged();
  });
  return {
    container,
    helper,
    servers,
    end() {
      container.end();
      servers.clear();
      events.serversChanged();
    },
  };
}

/** Mounts files into a new container in one step. The helper then sets modes and times. */
export async function layOut(
  { container, helper }: ContainerInstance,
  mirror: Mirror,
  kept: ReadonlyMap<string, KeptNode>,
): Promise<void> {
  mirror.nodes.clear();
  if (kept.size === 0) return;
  const packed = [...kept].map(
    ([path, { meta, bytes }]) => [path, packedOf(meta.type, bytes, meta.target)] as const,
  );
  await container.mount(packTree(treeOf(packed)));
  const nodes = [...kept].map(async ([path, { meta, bytes }]) => [path, await nodeOf(meta, bytes)] as const);
  for (const [path, node] of await Promise.all(nodes)) mirror.nodes.set(path, node);
  await setModes(helper, mirror.nodes);
}

/** Sets the times of files, and modes that differ from the defaults. */
export async function setModes(
  helper: Helper,
  nodes: Iterable<readonly [string, MirrorNode]>,
): Promise<void> {
  const changes = [...nodes].flatMap(([path, { type, mode, modified }]) => {
    if (type === 'symlink' || (type === 'directory' && mode === 0o755)) return [];
    return [{ path: `${ROOT}/${path}`, mode, ...(type === 'file' && { modified }) }];
  });
  if (changes.length > 0) await helper.ask('nothing', { ask: 'apply', nodes: changes });
}

export function packedOf(type: MirrorNode['type'], bytes: Uint8Array, target = ''): PackedNode {
  if (type === 'directory') return { type, children: new Map() };
  return type === 'symlink' ? { type, target } : { type, bytes };
}

async function nodeOf(meta: KeptNode['meta'], bytes: Uint8Array): Promise<MirrorNode> {
  const { type, mode, modified, target } = meta;
  if (type === 'file')
    return { type, size: bytes.length, modified, mode, hash: await digestBytes(bytes.slice()) };
  return { type, size: target?.length ?? 0, modified, mode, ...(target !== undefined && { target }) };
}
