import { growingFold } from '../../base/growing-fold.ts';
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
  readonly #conversation = growingFold<ModelMessage, MessageSizes>(
    () => NOTHING,
    (before, message) => sum(before, this.#message(message)),
  );

  request({ system, messages, tools }: Omit<RequestContent, 'settings'>): ContextSizes {
    const sizes = tools.map((tool) => this.#tool(tool));
    return {
      system: tokensOf(system),
      tools: sizes.reduce((sum, size) => sum + size, 0),
      ...this.#conversation(messages),
    };
  }

  #tool({ name, description, schema }: ToolSpec): number {
    const known = this.#tools.get(schema) ?? tokensOf(JSON.stringify(schema));
    this.#tools.set(schema, known);
    return known + tokensOf(name + description);
  }

  messages(messages: readonly ModelMessage[]): MessageSizes {
    return messages.map((message) => this.#message(message)).reduce(sum, NOTHING);
  }

  #message(message: ModelMessage): MessageSizes {
    const sizes = this.#known.get(message) ?? measured(message);
    this.#known.set(message, sizes);
    return sizes;
  }
}

const NOTHING: MessageSizes = { messages: 0, outputs: 0, files: 0 };

function sum(a: MessageSizes, b: MessageSizes): MessageSizes {
  return {
    messages: a.messages + b.messages,
    outputs: a.outputs + b.outputs,
    files: a.files + b.files,
  };
}

function measured({ role, content }: ModelMessage): MessageSizes {
  const sizes = { messages: 0, outputs: 0, files: 0 };
  if (typeof content === 'string') return { ...sizes, messages: tokensOf(content) };
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') sizes.messages += tokensOf(part.text);
    else if (part.type === 'tool-call')
      // A call of a message from elsewhere may lack either, whose sum would be no text.
      sizes.messages += tokensOf(`${part.toolName}${JSON.stringify(part.input)}`);
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
