import type { FormatOutcome, FormatRequest, FormatResponse } from './protocol.ts';
import { runFormat } from './run-format.ts';

self.onmessage = async ({ data }: MessageEvent<FormatRequest>) => {
  const outcome = await runFormat(data).catch((error: unknown): FormatOutcome => ({
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
  }));
  const response: FormatResponse = { id: data.id, outcome };
  self.postMessage(response);
};
