import { messageOf } from '../../src/base/message-of.ts';
import type { EngineRequest, EngineResponse } from '../../src/protocol/engine.ts';
import { Engine } from './engine.ts';

/** The worker of `engine.html`: the first message brings the port over which the app asks. */
addEventListener('message', ({ ports: [port] }: MessageEvent<unknown>) => port && serve(port), {
  once: true,
});

type Work = Exclude<EngineRequest, { type: 'stop' }>;

/** Does one thing after the other: a model has one conversation in its memory. */
function serve(port: MessagePort): void {
  const engine = new Engine();
  const tell = (response: EngineResponse) => port.postMessage(response);
  let last = Promise.resolve();
  port.onmessage = ({ data }: MessageEvent<EngineRequest>) => {
    if (data.type === 'stop') return engine.stop(data.id);
    last = last
      .then(() => answer(engine, data, tell))
      .catch((error: unknown) => {
        const problem = messageOf(error);
        tell({ type: 'problem', id: data.id, problem });
      });
  };
}

async function answer(
  engine: Engine,
  request: Work,
  tell: (response: EngineResponse) => void,
): Promise<void> {
  const { id } = request;
  switch (request.type) {
    case 'load':
      return tell({ type: 'loaded', id, contextWindow: await engine.load(request) });
    case 'count':
      return tell({ type: 'counted', id, tokens: engine.count(request.messages) });
    case 'generate': {
      const counts = await engine.generate(request, (text) => tell({ type: 'text', id, text }));
      return tell({ type: 'done', id, ...counts });
    }
  }
}
