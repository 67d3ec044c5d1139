import type { Fault } from '../base/fault.ts';
import { addressSpace, localServerAt, parseURL } from './addresses.ts';
import type { FaultContext } from './fault-context.ts';
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
      what: 'The browser has no network connection.',
      where,
      next: 'Connect to the network and send the message again.',
      retryable: true,
    };
  if (space !== 'public' && (await context.network.localAccessDenied(target)))
    return {
      code: 'local-network',
      what: `The browser does not let this page reach ${target.host}.`,
      where,
      next: `Allow "Local network access" for ${origin ?? 'this page'} in the site settings beside the address, then send the message again.`,
      retryable: false,
    };
  if (origin?.startsWith('https:') && target.protocol === 'http:' && space === 'public')
    return {
      code: 'mixed-content',
      what: 'A page served over https may not call a server over http.',
      where,
      next: 'Use the server’s https address, or open Vitrine from http://localhost.',
      retryable: false,
    };
  const reachable = origin === undefined ? undefined : await context.network.reachable(target, signal);
  if (signal.aborted) return { code: 'aborted', what: 'The request was stopped.' };
  if (reachable === true)
    return {
      code: 'cors',
      what: `${target.host} answers, but does not allow this page to read it (CORS).`,
      where,
      next: corsAdvice(target, origin ?? 'this page', context),
      retryable: false,
    };
  if (reachable === undefined && origin !== undefined)
    return {
      code: 'unreachable',
      what: `${target.host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).`,
      where,
      next: `${startAdvice(target, origin)} If it runs: ${corsAdvice(target, origin, context)}`,
      retryable: space === 'public',
    };
  return {
    code: 'unreachable',
    what: `${target.host} cannot be reached: nothing answers there${code ? ` (${code})` : origin === undefined && message ? ` (${message})` : ''}.`,
    where,
    next: startAdvice(target, origin),
    // A self-hosted server does not come back by itself.
    retryable: space === 'public',
  };
}

function corsAdvice(target: URL, origin: string, context: FaultContext): string {
  switch (localServerAt(target)) {
    case 'ollama':
      return `Start Ollama with this page allowed: OLLAMA_ORIGINS=${origin} ollama serve`;
    case 'lm-studio':
      return 'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors';
    case 'vllm':
      return `Start vLLM with this page allowed: vllm serve ${context.model || 'MODEL'} --allowed-origins '["${origin}"]'`;
    case 'jan':
      return 'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.';
    default:
      return target.origin === ownOrigin(context)
        ? `${providerName(context)} usually allows pages. A proxy, a content blocker or a regional block can cause this.`
        : `The server must answer with "Access-Control-Allow-Origin: ${origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.`;
  }
}

function ownOrigin({ provider }: FaultContext): string | undefined {
  return provider === 'scripted' ? undefined : parseURL(PROVIDERS[provider].baseURL)?.origin;
}

function startAdvice(target: URL, origin: string | undefined): string {
  switch (localServerAt(target)) {
    case 'ollama':
      return `Start Ollama: ${origin ? `OLLAMA_ORIGINS=${origin} ` : ''}ollama serve`;
    case 'lm-studio':
      return 'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.';
    case 'vllm':
      return 'Start vLLM: vllm serve MODEL';
    case 'llama-cpp':
      return 'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja';
    case 'jan':
      return 'Start Jan’s server: Settings → Local API server → Start server.';
    default:
      return addressSpace(target) === 'public'
        ? 'Check the base URL in Settings and the connection; a content blocker may also stop the request.'
        : `Start the server at ${target.host}, or correct the base URL in Settings.`;
  }
}
