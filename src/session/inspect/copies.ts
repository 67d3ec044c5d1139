import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ModelRef } from '../log/events.ts';
import type { RequestContent } from '../request/types.ts';
import type { NetworkRequest } from './inspection.ts';

/** The request as a shell command. It reads the key from the environment variable named in its place. */
export function asCurl({ url, method, headers, body }: NetworkRequest): string {
  const lines = [
    `curl -N -X ${method} ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${header(`${name}: ${value}`)}`),
    `--data-raw ${shellWord(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** Uses double quotes if the header contains the key's variable, so that the shell expands it. */
function header(text: string): string {
  const named = /\$[A-Z_]*API_KEY$/.exec(text);
  if (!named) return shellWord(text);
  return `"${text.slice(0, named.index).replace(/["$`\\]/g, '\\$&')}${named[0]}"`;
}

interface Maker {
  readonly module: string;
  readonly create: string;
  readonly key: string;
  readonly name?: string;
}

const MAKERS: Readonly<Record<string, Maker>> = {
  openai: { module: '@ai-sdk/openai', create: 'createOpenAI', key: 'OPENAI_API_KEY' },
  anthropic: { module: '@ai-sdk/anthropic', create: 'createAnthropic', key: 'ANTHROPIC_API_KEY' },
  google: {
    module: '@ai-sdk/google',
    create: 'createGoogleGenerativeAI',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  openrouter: compatible('OPENROUTER_API_KEY', 'openrouter'),
  'openai-compatible': compatible('API_KEY', 'compatible'),
};

function compatible(key: string, name: string): Maker {
  return { module: '@ai-sdk/openai-compatible', create: 'createOpenAICompatible', key, name };
}

/** The same request as a program that uses the AI SDK. `network` is the request as sent, if known. */
export function asSnippet(
  { provider, model }: ModelRef,
  { system, messages, tools, settings }: RequestContent,
  network: NetworkRequest | null,
): string {
  const maker = Object.hasOwn(MAKERS, provider) ? MAKERS[provider] : undefined;
  const imports = [
    `import { ${tools.length > 0 ? 'jsonSchema, streamText, tool' : 'streamText'} } from 'ai';`,
    ...(maker ? [`import { ${maker.create} } from '${maker.module}';`] : []),
  ];
  const fields = [
    `model: ${maker ? `provider(${json(model)})` : 'model'},`,
    ...(system ? [`instructions: ${json(system)},`] : []),
    `messages: ${json(messages)},`,
    ...(tools.length > 0 ? [`tools: {`, ...tools.map(toolLine).map(indented), `},`] : []),
    ...Object.entries(settings).map(([name, value]) => `${name}: ${json(value)},`),
  ];
  return [
    ...imports,
    '',
    ...(maker
      ? providerLines(maker, network)
      : [
          `// The session used ${provider}/${model}. Put the model of your choice here.`,
          `const model = '';`,
        ]),
    '',
    'const result = streamText({',
    ...fields.map(indented),
    '});',
    'for await (const part of result.fullStream) console.log(part);',
    '',
  ].join('\n');
}

function providerLines({ create, key, name }: Maker, network: NetworkRequest | null): readonly string[] {
  const baseURL =
    name !== undefined && network ? network.url.replace(/\/chat\/completions.*$/, '') : undefined;
  const options = [
    ...(name === undefined ? [] : [`name: '${name}'`]),
    ...(baseURL === undefined ? [] : [`baseURL: ${json(baseURL)}`]),
    `apiKey: process.env.${key}`,
  ];
  return [`const provider = ${create}({ ${options.join(', ')} });`];
}

function toolLine({ name, description, schema }: RequestContent['tools'][number]): string {
  const given: JsonObject = schema;
  return `${json(name)}: tool({\n  description: ${json(description)},\n  inputSchema: jsonSchema(${json(given)}),\n}),`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
