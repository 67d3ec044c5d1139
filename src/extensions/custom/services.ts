import { FaultError } from '../../base/fault.ts';
import { fromBase64, toBase64 } from '../../base/base64.ts';
import type { Json } from '../../base/json.ts';
import { shellWord } from '../../base/shell-word.ts';
import { bashTool } from '../../tools/bash/bash.ts';
import { change, readContent, replacedText } from '../../tools/change.ts';
import { decodeExactly } from '../../tools/decode.ts';
import { diffOf } from '../../tools/diff.ts';
import { resolveWritable, withModelFaults, literal, relativeToRoot } from '../../tools/paths.ts';
import type { Outputs, ReadRegistry, ToolContext } from '../../tools/tool.ts';
import { pageAddress } from '../../tools/webfetch/address.ts';
import { askForAddress, fetchPage } from '../../tools/webfetch/fetch-page.ts';
import type { Web } from '../../tools/webfetch/web.ts';
import { bodyOf } from '../../tools/webfetch/webfetch.ts';
import type { Service } from '../../protocol/custom-tools.ts';

/** Secret values that code can use by name but never sees. */
export interface Secrets {
  /** The names of all secrets. */
  names(): readonly string[];
  /** Replaces the names in a text by the values, once the person has allowed them for this host. */
  fill(text: string, host: string, context: ToolContext): Promise<string>;
  /** Replaces the values in a text by the names. */
  hide(text: string): string;
}

export interface ServiceDeps {
  readonly web: Web;
  readonly secrets: Secrets;
}

type Of<Op extends Service['op']> = Extract<Service, { op: Op }>;

/** Performs an operation for a workspace's code as part of the running call; it asks permission as the app's tools do. */
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

/** Runs a command as the bash tool does, but returns the full output. */
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
    outputs: unsaved(context.outputs),
  });
  const metadata =
    typeof result === 'object' && result !== null && 'metadata' in result ? result.metadata : {};
  return { exitCode: Number((metadata as { exitCode?: number }).exitCode ?? 1), output };
}

/** Outputs that keep nothing more: the code gets the full output itself. */
function unsaved(outputs: Outputs): Outputs {
  return {
    save: async () => ({ path: '', blob: '' }),
    read: (path) => outputs.read(path),
    list: () => outputs.list(),
    generated: outputs.generated,
    own: outputs.own,
  };
}

async function write({ path, content, append }: Of<'write'>, context: ToolContext): Promise<Json> {
  const resolved = await resolveWritable(context, path);
  const present = await readContent(context, resolved.path);
  const given = fromBase64(content);
  const bytes = append && present.bytes ? concatenated(present.bytes, given) : given;
  const text = decodeExactly(bytes);
  if (text === undefined) {
    await context.ask({
      permission: 'edit',
      patterns: resolved.patterns,
      always: literal(resolved.patterns),
      subject: { kind: 'path', path: resolved.title },
    });
    await withModelFaults(path, () =>
      context.workspace.files.write(resolved.path, bytes, { expect: present.hash, real: true }),
    );
    return null;
  }
  // The code has read the file by itself, so it counts as read.
  const reads: ReadRegistry = {
    seen: () => present.hash ?? undefined,
    record: (at, hash) => context.reads.record(at, hash),
  };
  await change({ ...context, reads }, resolved, ({ bytes: now }) => {
    const before = replacedText(now);
    return before === text ? { unchanged: '' } : { before, after: text, message: '' };
  });
  return null;
}

async function remove({ path, recursive }: Of<'remove'>, context: ToolContext): Promise<Json> {
  const resolved = await resolveWritable(context, path);
  const stat = await withModelFaults(path, () => context.workspace.files.stat(resolved.path));
  if (!stat) throw new FaultError({ code: 'ENOENT', what: `There is nothing at ${resolved.title}.` });
  const bytes = stat.type === 'file' ? (await readContent(context, resolved.path)).bytes : null;
  const before = bytes && decodeExactly(bytes);
  await context.ask({
    permission: 'edit',
    patterns: resolved.patterns,
    always: literal(resolved.patterns),
    subject: before
      ? { kind: 'diff', path: resolved.title, diff: (await diffOf(resolved.title, before, null)).patch }
      : { kind: 'path', path: resolved.title },
  });
  await withModelFaults(path, () => context.workspace.files.remove(resolved.path, { recursive, real: true }));
  return null;
}

async function makeDirectory({ path }: Of<'makeDirectory'>, context: ToolContext): Promise<Json> {
  const resolved = await resolveWritable(context, path);
  if (await withModelFaults(path, () => context.workspace.files.stat(resolved.path))) return null;
  await context.ask({
    permission: 'edit',
    patterns: resolved.patterns,
    always: literal(resolved.patterns),
    subject: { kind: 'path', path: resolved.title },
  });
  await withModelFaults(path, () => context.workspace.files.makeDirectory(resolved.path));
  return null;
}

async function rename({ from, to }: Of<'rename'>, context: ToolContext): Promise<Json> {
  const [source, target] = [await resolveWritable(context, from), await resolveWritable(context, to)];
  const patterns = [...new Set([...source.patterns, ...target.patterns])];
  await context.ask({
    permission: 'edit',
    patterns,
    always: literal(patterns),
    subject: { kind: 'path', path: `${source.title}\n${relativeToRoot(target.path)}` },
  });
  await withModelFaults(from, () => context.workspace.files.rename(source.path, target.path, { real: true }));
  return null;
}

/** Fills in secrets after the address was allowed, and removes them from the response. */
async function fetchFor(
  { url, method, headers, body }: Of<'fetch'>,
  context: ToolContext,
  { web, secrets }: ServiceDeps,
): Promise<Json> {
  const address = pageAddress(url);
  await askForAddress(context, address);
  const filled = new Headers();
  for (const [name, value] of headers)
    appendHeader(filled, name, await secrets.fill(value, address.host, context));
  // A request with a secret must not go through a proxy, which could read it.
  const secret = headers.some(([name, value]) => filled.get(name) !== value);
  const init = { method, headers: filled, ...(body !== undefined && { body: fromBase64(body) }) };
  return fetchPage(context, web, { address, init, signal: context.abort, secret }, (response) =>
    answerOf(response, address, secrets),
  );
}

async function answerOf(response: Response, address: URL, secrets: Secrets): Promise<Json> {
  const bytes = await bodyOf(response, address);
  const text = decodeExactly(bytes);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].map(([name, value]) => [name, secrets.hide(value)]),
    body: toBase64(text === undefined ? bytes : new TextEncoder().encode(secrets.hide(text))),
  };
}

/** Replaces the engine's error, which may contain the value. */
function appendHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    throw new FaultError({ code: 'header', what: `The header ${name} cannot be sent as it is.` });
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
