import { ROOT } from '../../base/places.ts';
import type { ToWorker } from '../protocol.ts';
import { serve } from './serve.ts';

/** The entry point of the worker for the language services of one workspace. */
const take = serve(ROOT, (message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => take(data);
