import { FaultError } from '../../base/fault.ts';
import { ROOT } from '../../base/places.ts';
import type { Preview } from '../../preview/preview.ts';
import type { PreviewTarget } from '../../preview/target.ts';
import type { PageAction } from '../../protocol/preview.ts';
import { resolvePath } from '../paths.ts';
import type { ToolAttachment, ToolContext } from '../tool.ts';
import { needed, type PreviewInput } from './parameters.ts';

/** The model reads the text and is shown the attachment. */
export interface OperationResult {
  readonly text: string;
  readonly attachment?: ToolAttachment;
}

/** Carries out one operation. Rejects with a fault where that is not possible. */
export async function runOperation(
  preview: Preview,
  input: PreviewInput,
  context: ToolContext,
): Promise<OperationResult> {
  if (input.operation === 'picture') return takePicture(preview, input, context);
  return { text: await textOf(preview, input, context) };
}

async function takePicture(
  preview: Preview,
  { ref }: PreviewInput,
  { abort }: ToolContext,
): Promise<OperationResult> {
  await preview.settled(abort);
  const { pictureOf } = await import('../../preview/picture.ts');
  const { mediaType, bytes } = await pictureOf(preview, ref, abort);
  const filename = `page.${mediaType === 'image/png' ? 'png' : 'jpg'}`;
  return {
    text: ref === undefined ? 'A picture of what is in view.' : `A picture of ${ref}.`,
    attachment: { mediaType, bytes, filename },
  };
}

async function textOf(preview: Preview, input: PreviewInput, context: ToolContext): Promise<string> {
  const { abort } = context;
  switch (input.operation) {
    case 'open':
      await preview.open(await targetOf(preview, input, context), pathOf(input.path));
      await preview.settled(abort);
      return look(preview, abort);
    case 'reload':
    case 'back':
      preview[input.operation]();
      await preview.settled(abort);
      return look(preview, abort);
    case 'snapshot':
      await preview.settled(abort);
      return look(preview, abort);
    case 'messages':
      return '';
    case 'wait':
      return wait(preview, needed(input, 'text'), input.timeout, abort);
    case 'resize': {
      const width = needed(input, 'width');
      preview.resize({ width, height: input.height ?? 800 });
      return `The page is ${width} × ${input.height ?? 800} now.`;
    }
    case 'evaluate':
      return preview.act({ do: 'evaluate', code: needed(input, 'code') }, abort);
    default:
      return act(preview, actionOf(input), abort);
  }
}

function actionOf(input: PreviewInput): PageAction {
  switch (input.operation) {
    case 'type':
      return { do: 'type', ref: needed(input, 'ref'), text: needed(input, 'text'), submit: input.submit };
    case 'press':
      return { do: 'press', key: needed(input, 'key'), ...(input.ref !== undefined && { ref: input.ref }) };
    case 'select':
      return { do: 'select', ref: needed(input, 'ref'), values: needed(input, 'values') };
    default:
      return { do: 'click', ref: needed(input, 'ref') };
  }
}

/** Acts, and waits for what the page makes of it. */
async function act(preview: Preview, action: PageAction, abort: AbortSignal): Promise<string> {
  const said = await preview.act(action, abort).catch((error: unknown) => {
    // An action that leads to another page may be cut off by it.
    if (error instanceof FaultError && error.fault.code === 'page-left') return 'The page was left.';
    throw error;
  });
  await preview.quiet(abort);
  return said;
}

async function look(preview: Preview, abort: AbortSignal): Promise<string> {
  if (preview.state.phase === 'failed')
    throw new FaultError({ code: 'preview', what: `The preview could not start: ${preview.state.reason}` });
  const snapshot = await preview.act({ do: 'snapshot' }, abort);
  return snapshot || '(The page is empty.)';
}

async function wait(preview: Preview, text: string, seconds: number, abort: AbortSignal): Promise<string> {
  const wanted = text.replace(/\s+/g, ' ');
  const limit = AbortSignal.any([abort, AbortSignal.timeout(seconds * 1000)]);
  for (;;) {
    const shown = await preview.act({ do: 'text' }, limit).catch(() => '');
    if (shown.replace(/\s+/g, ' ').includes(wanted)) return `“${text}” is on the page.`;
    if (limit.aborted) {
      abort.throwIfAborted();
      throw new FaultError({
        code: 'timeout',
        what: `“${text}” did not come on the page within ${seconds} seconds.`,
        next: 'Look at a snapshot, and at the messages.',
      });
    }
    await preview.moment(limit);
  }
}

async function targetOf(
  preview: Preview,
  { port, folder }: PreviewInput,
  context: ToolContext,
): Promise<PreviewTarget> {
  if (port !== undefined) return mustListen(port, context);
  if (folder !== undefined) {
    const { path } = await resolvePath(context, folder);
    if ((await context.workspace.files.stat(path))?.type === 'directory') return { kind: 'folder', path };
    throw new FaultError({ code: 'no-folder', what: `${folder} is not a folder.` });
  }
  const { target } = preview.state;
  if (target) return target.kind === 'server' ? mustListen(target.port, context) : target;
  const ports = portsOf(context);
  const [only] = ports;
  if (only !== undefined && ports.length === 1) return { kind: 'server', port: only };
  if (ports.length === 0 && (await context.workspace.files.stat(`${ROOT}/index.html`)))
    return { kind: 'folder', path: ROOT };
  throw new FaultError({
    code: 'no-target',
    what:
      ports.length > 0
        ? `Servers listen on ports ${ports.join(', ')}.`
        : 'No server listens in this workspace.',
    next:
      ports.length > 0
        ? 'Name one as port.'
        : 'Start one in the background with bash, or name a folder with an index.html as folder.',
  });
}

function mustListen(port: number, context: ToolContext): PreviewTarget {
  const ports = portsOf(context);
  if (ports.includes(port)) return { kind: 'server', port };
  throw new FaultError({
    code: 'no-server',
    what: `No server listens on port ${port}.`,
    next:
      ports.length > 0 ? `Servers listen on ${ports.join(', ')}.` : 'Start one in the background with bash.',
  });
}

function portsOf({ workspace }: ToolContext): readonly number[] {
  return (workspace.servers?.list() ?? []).map(({ port }) => port);
}

function pathOf(given = '/'): string {
  const path = given.replace(/^https?:\/\/[^/]*/, '');
  return path.startsWith('/') ? path : `/${path}`;
}
