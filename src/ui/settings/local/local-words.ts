import { messages } from '../../languages/messages.ts';

/** Texts of the search for model servers on this computer. */
export const localWords = messages('local', {
  heading: 'On this computer',
  hint: 'Ollama, LM Studio, llama.cpp, vLLM and Jan are asked for their models at their usual ports. Nothing is asked before you press the button.',
  look: 'Look for models on this computer',
  looking: 'Asking at five ports …',
  found: (n: number) =>
    n === 0
      ? 'No server has offered models.'
      : n === 1
        ? '1 server offers models.'
        : `${n} servers offer models.`,
  // The names avoid the word of the field for a model's name, so that a search for that finds one element.
  modelsOf: (server: string) => `Offered by ${server}`,
  take: (model: string) => `Use ${model}`,
  taken: (model: string) => `Prompts go to ${model} now.`,
  silent: (n: number) => (n === 1 ? 'Nothing answers at 1 port' : `Nothing answers at ${n} ports`),
});
