import { ROOT } from '../../src/base/places.ts';
import type { LanguagePort, ToWorker } from '../../src/language/protocol.ts';
import { serve } from '../../src/language/typescript/serve.ts';

/** The worker of the language services, in the thread of the test; messages are copied and come later, as between threads. */
export function localLanguagePort(): LanguagePort {
  let ended = false;
  const take = serve(ROOT, (message) => {
    const data = structuredClone(message);
    setTimeout(() => !ended && port.onmessage?.(new MessageEvent('message', { data })));
  });
  const port: LanguagePort = {
    onmessage: null,
    onerror: null,
    postMessage(message: ToWorker) {
      const copy = structuredClone(message);
      setTimeout(() => !ended && take(copy));
    },
    terminate: () => void (ended = true),
  };
  return port;
}
