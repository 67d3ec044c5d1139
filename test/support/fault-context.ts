import type { FaultContext, Network } from '../../src/models/fault-context.ts';

/** A network in which a server that does not answer is not there. */
export function networkWith(over: Partial<Network> = {}): Network {
  return {
    origin: 'https://vitrine.example',
    online: () => true,
    localAccessDenied: async () => false,
    reachable: async () => false,
    ...over,
  };
}

/** The call of a model in which a fault happens. */
export function faultContext(over: Partial<FaultContext> = {}): FaultContext {
  return {
    provider: 'openai-compatible',
    model: 'some-model',
    baseURL: 'https://models.example/v1',
    network: networkWith(),
    redact: (text) => text,
    ...over,
  };
}
