import type { Fault } from '../base/fault.ts';
import { addressSpace, localServerAt, parseURL } from './addresses.ts';
import type { FaultContext } from './fault-context.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { address, providerName } from './http-faults.ts';
import { PROVIDERS } from './providers/ids.ts';

/** Describes a request that got no answer, or one that the browser withholds. The base URL must be valid. */
export async function networkFault(
  code: string | undefined,
  message: string,
  context: FaultContext,
  signal: AbortSignal,
): Promise<Fault> {
  const target = new URL(context.baseURL);
  const where = address(context.baseURL);
  const space = addressSpace(target);
  const origin = context.network.origin;
  if (space !== 'loopback' && !context.network.online())
    return {
      code: 'offline',
      what: TEXTS.offline,
      where,
      next: TEXTS.goOnline,
      retryable: true,
    };
  if (space !== 'public' && (await context.network.localAccessDenied(target)))
    return {
      code: 'local-network',
      what: TEXTS.localNetwork,
      where,
      next: fill(TEXTS.allowLocal, { origin: origin ?? 'this page' }),
      retryable: false,
    };
  if (origin?.startsWith('https:') && target.protocol === 'http:' && space === 'public')
    return {
      code: 'mixed-content',
      what: TEXTS.mixedContent,
      where,
      next: 'Use the server’s https address, or open Vitrine from http://localhost.',
      retryable: false,
    };
  const reachable = origin === undefined ? undefined : await context.network.reachable(target, signal);
  if (signal.aborted) return { code: 'aborted', what: TEXTS.stopped };
  if (reachable === true)
    return {
      code: 'cors',
      what: fill(TEXTS.cors, { host: target.host }),
      where,
      next: corsAdvice(target, origin ?? 'this page', context),
      retryable: false,
    };
  if (reachable === undefined && origin !== undefined)
    return {
      code: 'unreachable',
      what: fill(TEXTS.unclear, { host: target.host }),
      where,
      next: fill(TEXTS.startOrAllow, {
        start: startAdvice(target, origin),
        allow: corsAdvice(target, origin, context),
      }),
      retryable: space === 'public',
    };
  const why = code || (origin === undefined && message);
  return {
    code: 'unreachable',
    what: why
      ? fill(TEXTS.unreachableBecause, { host: target.host, why })
      : fill(TEXTS.unreachable, { host: target.host }),
    where,
    next: startAdvice(target, origin),
    // A self-hosted server does not come back by itself.
    retryable: space === 'public',
  };
}

function corsAdvice(target: URL, origin: string, context: FaultContext): string {
  switch (localServerAt(target)) {
    case 'ollama':
      return fill(TEXTS.allowOllama, { origin });
    case 'lm-studio':
      return TEXTS.allowLMStudio;
    case 'vllm':
      return fill(TEXTS.allowVLLM, { origin, model: context.model || 'MODEL' });
    case 'jan':
      return TEXTS.allowJan;
    default:
      return target.origin === ownOrigin(context)
        ? fill(TEXTS.allowsPages, { provider: providerName(context) })
        : fill(TEXTS.allowOrigin, { origin });
  }
}

function ownOrigin({ provider }: FaultContext): string | undefined {
  return provider === 'scripted' ? undefined : parseURL(PROVIDERS[provider].baseURL)?.origin;
}

function startAdvice(target: URL, origin: string | undefined): string {
  switch (localServerAt(target)) {
    case 'ollama':
      return origin === undefined ? TEXTS.startOllama : fill(TEXTS.startOllamaFor, { origin });
    case 'lm-studio':
      return TEXTS.startLMStudio;
    case 'vllm':
      return TEXTS.startVLLM;
    case 'llama-cpp':
      return TEXTS.startLlamaCpp;
    case 'jan':
      return TEXTS.startJan;
    default:
      return addressSpace(target) === 'public'
        ? TEXTS.checkAddress
        : fill(TEXTS.startServer, { host: target.host });
  }
}
