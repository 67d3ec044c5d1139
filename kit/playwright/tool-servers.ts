import type { Page } from '@playwright/test';
import { record, text } from '../facts/members.ts';
import { callPage } from './page-calls.ts';

/** Rejects with the reason if a tool server cannot be used from the page. */
export async function requireServers(page: Page, servers: Readonly<Record<string, string>>): Promise<void> {
  // The app lists its tools when its servers are connected, or have failed.
  const tools = await callPage(page, 'tools.ids');
  for (const [name, url] of Object.entries(servers)) {
    if (tools.some((id) => id.startsWith(`${name.replaceAll(/[^\w-]/g, '_')}_`))) continue;
    const problem = await problemOf(page, url);
    if (problem !== undefined) throw new Error(`The tool server "${name}" cannot be used: ${problem}`);
  }
}

/** Asks the server once more, as its connection fails without a reason that a page may read. */
async function problemOf(page: Page, url: string): Promise<string | undefined> {
  const fromPage = await page.evaluate(ask, url);
  if (!('failure' in fromPage)) return answerProblem(url, fromPage);
  const fromHere = await ask(url);
  if ('failure' in fromHere) return `${url} cannot be reached: ${fromHere.failure}.`;
  return `${url} answers, but lets no page of another origin ask (CORS). It has to send access-control-allow-origin and, to a request with the method OPTIONS, access-control-allow-headers.`;
}

type Answer =
  { readonly status: number; readonly type: string; readonly body: string } | { readonly failure: string };

/** Begins a connection. It runs in the page and in Node, so it uses nothing from outside. */
async function ask(url: string): Promise<Answer> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'vitrine-test', version: '1' },
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
      signal: AbortSignal.timeout(10_000),
    });
    const type = response.headers.get('content-type') ?? '';
    // A stream may stay open, and only a server that works sends one.
    const isStream = type.startsWith('text/event-stream');
    const body = isStream ? '' : await response.text();
    if (isStream) await response.body?.cancel();
    return { status: response.status, type, body };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { failure: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}

function answerProblem(
  url: string,
  { status, type, body }: Exclude<Answer, { readonly failure: string }>,
): string | undefined {
  const start = body.trim().slice(0, 200);
  if (status < 200 || status > 299) return `${url} answers with the status ${status}: ${start}`;
  if (type.startsWith('text/event-stream')) return undefined;
  if (!type.includes('json')) return `${url} answers with ${type || 'no type'} instead of JSON: ${start}`;
  try {
    const { message } = record(record(JSON.parse(body)).error);
    return message === undefined ? undefined : `${url} answers with the error "${text(message)}".`;
  } catch {
    return `${url} answers with something that is no JSON: ${start}`;
  }
}
