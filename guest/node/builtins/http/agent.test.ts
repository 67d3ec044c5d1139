import http from 'node:http';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { makeAgent, type AgentOptions } from './agent.ts';

interface Pool {
  addRequest(request: object, options: object): void;
  emit(name: 'free', socket: Duplex | undefined, options: object): boolean;
  readonly sockets: Readonly<Record<string, unknown>>;
  readonly freeSockets: Readonly<Record<string, unknown>>;
}

const server = { host: 'localhost', port: 80, path: null };

interface Connection extends Duplex {
  _httpMessage: unknown;
}

const connection = (): Connection =>
  Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }), {
    _httpMessage: null,
    ...{ setKeepAlive: () => true, setTimeout: () => true, ref: () => true, unref: () => true },
  });

/** Waits until the events that a destroyed stream emits have been emitted. */
const eventsOfStreams = () => new Promise((resolve) => setImmediate(resolve));

type Limits = Pick<
  AgentOptions,
  'keepAlive' | 'maxSockets' | 'maxFreeSockets' | 'maxTotalSockets' | 'scheduling'
>;

// The types of Node leave out `addRequest`, and ours wants requests and sockets that can do more.
const agents = {
  native: (limits: Limits, connect: () => Duplex): Pool =>
    Object.assign(new http.Agent(limits), { createConnection: connect }) as never,
  ours: (limits: Limits, connect: () => Duplex): Pool => {
    const Agent = makeAgent(connect as never);
    return new Agent(limits) as never;
  },
};

/** Lists which connection an agent gave to each request, and how many connections it keeps after each step. */
async function history(kind: keyof typeof agents, limits: Limits): Promise<string[]> {
  const events: string[] = [];
  const sockets: Duplex[] = [];
  const agent = agents[kind](limits, () => {
    const socket = connection();
    sockets.push(socket);
    return socket;
  });
  const count = (lists: Readonly<Record<string, unknown>>) => Object.values(lists).flat().length;
  const note = (what: string) =>
    events.push(`${what}: ${count(agent.sockets)} used, ${count(agent.freeSockets)} free`);
  const ask = (name: string) => {
    const request = {
      ...{ shouldKeepAlive: true, reusedSocket: false, destroyed: false },
      getHeader: () => undefined,
      onSocket(socket: Connection) {
        socket._httpMessage = request;
        const which = sockets.indexOf(socket);
        events.push(`${name} has connection ${which}${request.reusedSocket ? ' again' : ''}`);
      },
    };
    agent.addRequest(request, { ...server });
  };
  ask('first');
  ask('second');
  await eventsOfStreams();
  note('after two requests');
  agent.emit('free', sockets[0], { ...server });
  await eventsOfStreams();
  note('after the first answer');
  for (const socket of sockets) if (!socket.destroyed) agent.emit('free', socket, { ...server });
  await eventsOfStreams();
  note('after all answers');
  ask('third');
  await eventsOfStreams();
  note('after a third request');
  sockets.at(-1)?.destroy();
  await eventsOfStreams();
  note('after the last connection closed');
  return events;
}

test.for([
  [{ keepAlive: true }],
  [{ keepAlive: false }],
  [{ keepAlive: true, maxSockets: 1 }],
  [{ keepAlive: true, maxFreeSockets: 1 }],
  [{ keepAlive: true, maxTotalSockets: 1 }],
  [{ keepAlive: true, scheduling: 'fifo' }],
] as const)('an agent with %o hands out its connections as in Node', async ([limits]) => {
  const ours = await history('ours', limits);
  expect(ours).toEqual(await history('native', limits));
  expect(ours).toContain('first has connection 0');
});
