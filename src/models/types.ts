/**
 * The only door through which the types of the AI SDK leave this room. Types only: importing this costs nothing at
 * run time, so the SDK stays behind its `import()`.
 */
import type { ModelMessage } from 'ai';
import type { LanguageModelV4 } from '@ai-sdk/provider';

export type { LanguageModelV4, ModelMessage };
