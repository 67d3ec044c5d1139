import type { ModelMessage } from '../../models/types.ts';
import type { ContextSizes } from '../log/events.ts';
import { tokensOf } from './context-size.ts';
import type { ToolSpec } from './model.ts';
import type { RequestContent } from './types.ts';

/** The rough size of an image or a page of a document. */
const FILE_TOKENS = 1_600;

type MessageSizes = Pick<ContextSizes, 'messages' | 'outputs' | 'files'>;

/** Estimates the tokens of requests; each message is measured once. */
export class Sizes {
  readonly #known = new WeakMap<ModelMessage, MessageSizes>();
  /** Keyed by the schema object, which stays the same while a tool does. */
  readonly #tools = new WeakMap<object, number>();

  request({ system, messages, tools }: Omit<RequestContent, 'settings'>): ContextSizes {
    const sizes = tools.map((tool) => this.#tool(tool));
    return {
      system: tokensOf(system),
      tools: sizes.reduce((sum, size) => sum + size, 0),
      ...this.messages(messages),
    };
  }

  #tool({ name, description, schema }: ToolSpec): number {
    const known = this.#tools.get(schema) ?? tokensOf(JSON.stringify(schema));
    this.#tools.set(schema, known);
    return known + tokensOf(name + description);
  }

  messages(messages: readonly ModelMessage[]): MessageSizes {
    const sum = { messages: 0, outputs: 0, files: 0 };
    for (const message of messages) {
      const sizes = this.#known.get(message) ?? measured(message);
      this.#known.set(message, sizes);
      sum.messages += sizes.messages;
      sum.outputs += sizes.outputs;
      sum.files += sizes.files;
    }
    return sum;
  }
}

function measured({ role, content }: ModelMessage): MessageSizes {
  const sizes = { messages: 0, outputs: 0, files: 0 };
  if (typeof content === 'string') return { ...sizes, messages: tokensOf(content) };
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') sizes.messages += tokensOf(part.text);
    else if (part.type === 'tool-call')
      sizes.messages += tokensOf(part.toolName + JSON.stringify(part.input));
    else if (part.type === 'file' || part.type === 'image') sizes.files += FILE_TOKENS;
    else if (part.type === 'tool-result') {
      const { output } = part;
      if (output.type === 'text' || output.type === 'error-text') sizes.outputs += tokensOf(output.value);
      else if (output.type === 'content')
        for (const piece of output.value) {
          if (piece.type === 'text') sizes.outputs += tokensOf(piece.text);
          else sizes.files += FILE_TOKENS;
        }
      else sizes.outputs += tokensOf(JSON.stringify(output));
    } else if (role !== 'system') sizes.messages += tokensOf(JSON.stringify(part));
  }
  return sizes;
}
