/** Of the SDK, what is used: its own chunk, and nothing else of the SDK in it. */
export { experimental_streamLanguageModelCall, jsonSchema } from 'ai';
