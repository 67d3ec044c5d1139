import { messageOf } from '../../../../../base/message-of.ts';
import type { FormatOutcome, FormatRequest, FormatResponse } from './protocol.ts';
import { runFormat } from './run-format.ts';

self.onmessage = async ({ data }: MessageEvent<FormatRequest>) => {
  const outcome = await runFormat(data).catch((error: unknown): FormatOutcome => ({
    kind: 'failed',
    message: messageOf(error),
  }));
  const response: FormatResponse = { id: data.id, outcome };
  self.postMessage(response);
};
