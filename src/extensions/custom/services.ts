import { FaultError } from '../../base/fault.ts';
import { fromBase64, toBase64 } from '../../base/base64.ts';
import type { Json } from '../../base/json.ts';
import { shellWord } from '../../base/shell-word.ts';
import { bashTool } from '../../tools/bash/bash.ts';
import { change, presentAt, replacedText } from '../../tools/change.ts';
import { decodeExactly } from '../../tools/decode.ts';
import { diffOf } from '../../tools/diff.ts';
import { changeablePlace, inWords, literal, relativeToRoot } from '../../tools/places.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { pageAddress, throughProxy } from '../../tools/webfetch/address.ts';
import type { Web } from '../../tools/webfetch/web.ts';
import { askForAddress, bodyOf, noAnswer } from '../../tools/webfetch/webfetch.ts';
import type { Service } from './protocol.ts';

/** Values that code names and never sees. */
export interface Secrets {
  /** Their names. */
  names(): readonly string[];
  /** The text with the values of what it names, once the person has let this host have them. */
  fill(text: string, host: string, context: ToolContext): Promise<string>;
  /** The text with the names of what it holds. */
  hide(text: string): string;
}

export interface ServiceDeps {
  readonly web: Web;
  readonly secrets: Secrets;
}

type Of<Op extends Service['op']> = Extract<Service, { op: Op }>;

/** Does what code of a workspace asks for, in the name of the call that runs it: each is asked for as the app's own tools do. */
export async function serve(
  service: Exclude<Service, { op: 'ask' }>,
  context: ToolContext,
  deps: ServiceDeps,
): Promise<Json> {
  switch (service.op) {
    case 'exec':
      return run(service, context);
    case 'write':
      return write(service, context);
    case 'remove':
      return remove(service, context);
    case 'makeDirectory':
      return makeDirectory(service, context);
    case 'rename':
      return rename(service, context);
    case 'fetch':
      return fetchFor(service, context, deps);
  }
}

/** As the bash tool does, with all of the output. */
async function run({ command, cwd, env = {} }: Of<'exec'>, context: ToolContext): Promise<Json> {
  const set = Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}; `);
  let output = '';
  const definition = await bashTool.init({ agent: context.agent, workspace: context.workspace });
  const input = definition?.parameters.parse({
    command: set.join('') + command,
    ...(cwd && { workdir: cwd }),
  });
  const result = await definition?.execute(input, {
    ...context,
    output: (text) => {
      output += text;
      context.output(text);
    },
    outputs: { ...context.outputs, save: async () => ({ path: '', blob: '' }) },
  });
  const metadata =
    typeof result === 'object' && result !== null && 'metadata' in result ? result.metadata : {};
  return { exitCode: Number((metadata as { exitCode?: number }).exitCode ?? 1), output };
}

async function write({ path, content, append }: Of<'write'>, context: ToolContext): Promise<Json> {
  const place = await changeablePlace(context, path);
  const present = await presentAt(context, place.path);
  const given = fromBase64(content);
  const bytes = append && present.bytes ? joined(present.bytes, given) : given;
  const text = decodeExactly(bytes);
  if (text === undefined) {
    await context.ask({
      permission: 'edit',
      patterns: place.patterns,
      always: ['*'],
      subject: { kind: 'path', path: place.title },
    });
    await inWords(path, () =>
      context.workspace.files.write(place.path, bytes, { expect: present.hash, real: true }),
    );
    return null;
  }
  // Code reads by itself what it changes.
  const reads = { ...context.reads, seen: () => present.hash ?? undefined, record: context.reads.record };
  await change({ ...context, reads }, place, ({ bytes: now }) => {
    const before = replacedText(now);
    return before === text ? { unchanged: '' } : { before, after: text, said: '' };
  });
  return null;
}

async function remove({ path, recursive }: Of<'remove'>, context: ToolContext): Promise<Json> {
  const place = await changeablePlace(context, path);
  const stat = await inWords(path, () => context.workspace.files.stat(place.path));
  if (!stat) throw new FaultError({ code: 'ENOENT', what: `There is nothing at ${place.title}.` });
  const bytes = stat.type === 'file' ? (await presentAt(context, place.path)).bytes : null;
  const before = bytes && decodeExactly(bytes);
  await context.ask({
    permission: 'edit',
    patterns: place.patterns,
    always: literal(place.patterns),
    subject: before
      ? { kind: 'diff', path: place.title, diff: (await diffOf(place.title, before, null)).patch }
      : { kind: 'path', path: place.title },
  });
  await inWords(path, () => context.workspace.files.remove(place.path, { recursive, real: true }));
  return null;
}

async function makeDirectory({ path }: Of<'makeDirectory'>, context: ToolContext): Promise<Json> {
  const place = await changeablePlace(context, path);
  if (await inWords(path, () => context.workspace.files.stat(place.path))) return null;
  await context.ask({
    permission: 'edit',
    patterns: place.patterns,
    always: literal(place.patterns),
    subject: { kind: 'path', path: place.title },
  });
  await inWords(path, () => context.workspace.files.makeDirectory(place.path));
  return null;
}

async function rename({ from, to }: Of<'rename'>, context: ToolContext): Promise<Json> {
  const [source, target] = [await changeablePlace(context, from), await changeablePlace(context, to)];
  const patterns = [...new Set([...source.patterns, ...target.patterns])];
  await context.ask({
    permission: 'edit',
    patterns,
    always: literal(patterns),
    subject: { kind: 'path', path: `${source.title}\n${relativeToRoot(target.path)}` },
  });
  await inWords(from, () => context.workspace.files.rename(source.path, target.path, { real: true }));
  return null;
}

/** Secrets are filled in after the address was allowed, and taken out of what comes back. */
async function fetchFor(
  { url, method, headers, body }: Of<'fetch'>,
  context: ToolContext,
  { web, secrets }: ServiceDeps,
): Promise<Json> {
  const address = pageAddress(url);
  await askForAddress(context, address);
  const filled = new Headers();
  for (const [name, value] of headers)
    appended(filled, name, await secrets.fill(value, address.host, context));
  // What a proxy is told, somebody else reads.
  const hasSecret = headers.some(([name, value]) => filled.get(name) !== value);
  const target = hasSecret ? address : throughProxy(address, web.proxy());
  let response: Response;
  try {
    response = await web.fetch(target, {
      method,
      headers: filled,
      ...(body !== undefined && { body: fromBase64(body) }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      ...(hasSecret && { redirect: 'error' as const }),
      signal: context.abort,
    });
  } catch (error) {
    if (context.abort.aborted) throw error;
    throw await noAnswer(web, target, context.abort, error);
  }
  const final = response.url === '' || target !== address ? address : new URL(response.url);
  // Led elsewhere: that is another permission. What came is not looked at before.
  if (final.origin !== address.origin) await askForAddress(context, final);
  const bytes = await bodyOf(response, address);
  const text = decodeExactly(bytes);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].map(([name, value]) => [name, secrets.hide(value)]),
    body: toBase64(text === undefined ? bytes : new TextEncoder().encode(secrets.hide(text))),
  };
}

/** The engine's own words may say the value. */
function appended(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    throw new FaultError({ code: 'header', what: `The header ${name} cannot be sent as it is.` });
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
