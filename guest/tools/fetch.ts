import { fromBase64 } from '../../src/base/base64.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Service } from '../../src/protocol/custom-tools.ts';
import { toBase64 } from './world.ts';

/** `fetch` through the app, which asks for the address. Where a header holds a secret's placeholder, the app fills it in. */
export function fetchOf(service: (service: Service) => Promise<Json>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body ? toBase64(await request.arrayBuffer()) : undefined;
    const answer = (await service({
      op: 'fetch',
      url: request.url,
      method: request.method,
      headers: [...request.headers],
      ...(body !== undefined && { body }),
    })) as JsonObject;
    const status = Number(answer['status']);
    const empty = [101, 204, 205, 304].includes(status);
    return new Response(empty ? null : fromBase64(String(answer['body'])), {
      status,
      statusText: String(answer['statusText']),
      headers: answer['headers'] as [string, string][],
    });
  };
}
