import type { JsonObject } from '../../base/json.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { ModelRef } from '../log/events.ts';
import type { Message, Part } from '../log/state.ts';
import type { ToolSpec } from './model.ts';

export interface MessageSource {
  message(id: string): Message | undefined;
  part(key: string): Part | undefined;
  /** Models do not see the outputs of calls in messages with a smaller `seq`. */
  readonly prunedBefore?: number | undefined;
  /** The replacement for a message, if the person edited it for models. */
  retold?(messageID: string): Retelling | undefined;
}

export interface Retelling {
  readonly model: ModelRef;
  readonly messages: readonly ModelMessage[];
}

/** The model messages that one message of a session becomes. */
export interface RenderedMessages {
  readonly messageID: string;
  readonly rendered: readonly ModelMessage[];
}

export interface RequestContent {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly settings: JsonObject;
}
