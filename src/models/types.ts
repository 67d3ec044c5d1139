/**
 * The types of the AI SDK are exported from here only. Importing them costs nothing at run time, so the SDK stays
 * behind its `import()`.
 */
import type {
  Experimental_LanguageModelStreamPart,
  Experimental_SandboxSession as SandboxSession,
  ModelMessage,
} from 'ai';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** One part of the stream that the SDK gives for a single call. */
export type SdkPart = Experimental_LanguageModelStreamPart;
export type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  ModelMessage,
  SandboxSession,
};
export type { Script } from './script/schema.ts';
