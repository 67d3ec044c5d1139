import { makeWebSocket } from './websocket.ts';

export type MakeWebSocket = typeof makeWebSocket;

/** The global WebSocket: a part of node that is fetched with its first use. Taken from here by whoever runs this script. */
Reflect.set(globalThis, '__vtr_part', makeWebSocket);
