import { ROOT } from '../../base/places.ts';
import type { ToWorker } from '../protocol.ts';
import { serve } from './serve.ts';

/** Entry of the worker that the language services of one workspace run in. */
const take = serve(ROOT, (message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => take(data);
