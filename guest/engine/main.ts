import type { EngineRequest, EngineResponse } from '../../src/protocol/engine.ts';
import { Engine } from './engine.ts';

/** The worker of `engine.html`: the first message brings the port over which the app asks. */
addEventListener('message', ({ ports: [port] }: MessageEvent<unknown>) => port && serve(port), {
  once: true,
});

function serve(port: MessagePort): void {
  const engine = new Engine();
  const tell = (response: EngineResponse) => port.postMessage(response);
  port.onmessage = ({ data }: MessageEvent<EngineRequest>) => {
    if (data.type === 'stop') return engine.stop();
    answer(engine, data, tell).catch((error: unknown) =>
      tell({ type: 'problem', id: data.id, problem: error instanceof Error ? error.message : String(error) }),
    );
  };
}

async function answer(
  engine: Engine,
  request: Exclude<EngineRequest, { type: 'stop' }>,
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
