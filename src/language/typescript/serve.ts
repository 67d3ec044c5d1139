import { faultOf } from '../../base/fault.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';
import { FileTable } from './file-table.ts';
import { TypeScriptLanguage } from './service.ts';

type RequestMessage = Extract<ToWorker, { kind: 'request' }>;

/** The worker's side: returns the handler for the page's messages. */
export function serve(root: string, send: (message: FromWorker) => void): (message: ToWorker) => void {
  const files = new FileTable();
  let brought: (() => void) | undefined;
  let last: Promise<void> = Promise.resolve();
  const language = new TypeScriptLanguage(files, root, (paths) => {
    send({ kind: 'want', paths });
    return new Promise((resolve) => (brought = resolve));
  });

  async function answer({ id, method, params }: RequestMessage): Promise<void> {
    try {
      send({ kind: 'answer', id, result: await language.request(method, params) });
    } catch (error) {
      send({ kind: 'failed', id, fault: faultOf(error, 'language-failed') });
    }
  }

  return (message) => {
    switch (message.kind) {
      // Answers are computed synchronously, so files never change during one.
      case 'names':
        for (const path of message.paths) files.name(path);
        break;
      case 'files':
        for (const file of message.files) files.give(file);
        break;
      case 'removed':
        files.remove(message.paths);
        break;
      case 'brought':
        brought?.();
        break;
      case 'request':
        last = last.then(() => answer(message));
    }
  };
}
