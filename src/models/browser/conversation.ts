import type { ToolSpec } from '../../session/request/model.ts';
import type { LanguageModelV4Prompt } from '../types.ts';
import { resultText } from '../you/seen.ts';
import type { PromptMessage } from './prompt-api.ts';

/** The messages that a session of the browser's model begins with, and the prompt that it answers then. */
export interface Conversation {
  readonly initialPrompts: readonly PromptMessage[];
  readonly prompt: readonly PromptMessage[];
}

/**
 * The API knows no tools, so the system prompt describes them, and calls and results are messages of text. The newest
 * message is always one of the user: a prompt, or the results of calls.
 */
export function conversationOf(prompt: LanguageModelV4Prompt, tools: readonly ToolSpec[]): Conversation {
  const system = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const messages = joined(prompt.flatMap((message) => spoken(message, tools.length > 0)));
  const instructions = [system, toolText(tools)].filter((text) => text !== '').join('\n\n');
  const last = messages.at(-1);
  return {
    initialPrompts: [
      ...(instructions ? [{ role: 'system', content: instructions } as const] : []),
      ...messages.slice(0, last?.role === 'user' ? -1 : undefined),
    ],
    prompt: last?.role === 'user' ? [last] : [{ role: 'user', content: 'Continue.' }],
  };
}

function spoken(message: LanguageModelV4Prompt[number], asJson: boolean): PromptMessage[] {
  if (message.role === 'system') return [];
  if (message.role === 'assistant') return answers(message.content, asJson);
  const texts = message.content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'tool-result' ? [resultOf(part)] : [];
  });
  return [{ role: 'user', content: texts.join('\n\n') }];
}

type AssistantContent = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'];

/** Earlier answers have the form that the next answer must have. Each has at most one call, as the form wants. */
function answers(content: AssistantContent, asJson: boolean): PromptMessage[] {
  const say = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  const forms = calls.map(({ toolName, input }, index) => ({
    say: index === 0 ? say : '',
    call: { tool: toolName, arguments: input },
  }));
  if (forms.length > 0) return forms.map((form) => ({ role: 'assistant', content: JSON.stringify(form) }));
  return [{ role: 'assistant', content: asJson ? JSON.stringify({ say }) : say }];
}

type ToolContent = Extract<LanguageModelV4Prompt[number], { role: 'tool' }>['content'][number];

function resultOf(part: Extract<ToolContent, { type: 'tool-result' }>): string {
  const failed = part.output.type.startsWith('error') ? ' (it failed)' : '';
  return `Result of ${part.toolName}${failed}:\n${resultText(part.output)}`;
}

/** Joins neighbours of the same role, since models expect roles to alternate. */
function joined(messages: readonly PromptMessage[]): PromptMessage[] {
  const result: PromptMessage[] = [];
  for (const message of messages) {
    const before = result.at(-1);
    if (before?.role === message.role)
      result[result.length - 1] = { ...before, content: `${before.content}\n\n${message.content}` };
    else result.push(message);
  }
  return result;
}

function toolText(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  return [
    'You answer with one JSON object. "say" is what you tell the person, in Markdown; it may be empty. To use a tool, add "call" with the name of one tool and its arguments; you then get its result. Without "call" you are done.',
    'Example: {"say":"I look at the file.","call":{"tool":"read","arguments":{"filePath":"a.txt"}}}',
    'The tools:',
    ...tools.map(lineOf),
  ].join('\n');
}

/** The first sentence of a description is what a small model can use; the whole would fill its context. */
function lineOf({ name, description, schema }: ToolSpec): string {
  const [first = ''] = description.split(/(?<=\.)\s|\n/);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const parameters = Object.keys(schema.properties ?? {}).map((key) => (required.has(key) ? key : `${key}?`));
  return `- ${name}(${parameters.join(', ')}): ${first}`;
}
