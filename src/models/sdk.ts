/** The functions of the SDK that we use, in a chunk that holds nothing else of the SDK. */
export { experimental_streamLanguageModelCall, jsonSchema, parsePartialJson } from 'ai';
