import { faultOf } from '../base/fault.ts';
import type { ToSocketPage } from '../protocol/preview.ts';
import { openSocket, type OpenSocket } from '../workspace/servers/web-socket.ts';
import type { PreviewAnswers } from './answers.ts';
import type { PreviewLog } from './log.ts';
import { fromSocketPage } from './schemas.ts';

/** Connects a WebSocket of a page with a server of the workspace. Never rejects: the page is told what went wrong. */
export async function passSocket(
  port: MessagePort,
  { url, protocols }: { readonly url: string; readonly protocols: readonly string[] },
  answers: PreviewAnswers,
  log: PreviewLog,
  pageOver: AbortSignal,
): Promise<void> {
  const say = (message: ToSocketPage) => port.postMessage(message);
  const ended = (code: number, reason: string, clean: boolean) => {
    say({ kind: 'closed', code, reason, clean });
    port.close();
  };
  let socket: Promise<OpenSocket> | undefined;
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const parsed = fromSocketPage.safeParse(data);
    if (!parsed.success) return;
    const message = parsed.data;
    // Whatever fails here ends the socket, which is told as that.
    void socket
      ?.then((open) =>
        message.kind === 'send' ? open.send(message.data) : open.close(message.code, message.reason),
      )
      .catch(() => undefined);
  };
  try {
    const at = await answers.connect(url);
    if (!at) throw new Error('no server listens there');
    const { connection, target, headers } = at;
    socket = openSocket(
      connection,
      { target, headers, protocols },
      { message: (data) => say({ kind: 'message', data }), closed: ended },
    );
    const open = await socket;
    pageOver.addEventListener('abort', () => void open.close(1001).catch(() => undefined));
    log.add({ kind: 'request', method: 'WS', target: url, status: 101, ms: 0 });
    say({ kind: 'open', protocol: open.protocol });
    open.listen();
    if (pageOver.aborted) await open.close(1001);
  } catch (error) {
    log.add({ kind: 'request', method: 'WS', target: url, problem: faultOf(error).what, ms: 0 });
    ended(1006, '', false);
  }
}
