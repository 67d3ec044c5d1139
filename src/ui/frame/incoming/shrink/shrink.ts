import workerURL from './worker.ts?worker&url';
import { startWorker } from '../../../worker.ts';
import type { ShrinkRequest, ShrinkResponse } from './protocol.ts';

/**
 * Makes a picture fit the limits of models, in a worker. An encoded picture of a few megabytes can be very large once it is
 * decoded, so each has a worker of its own, whose memory is free again afterwards.
 */
export function shrink(request: ShrinkRequest): Promise<ShrinkResponse> {
  const worker = startWorker(workerURL, 'shrink');
  return new Promise<ShrinkResponse>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ShrinkResponse>) => resolve(data);
    worker.onerror = () => reject(new Error('The picture could not be made smaller.'));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
