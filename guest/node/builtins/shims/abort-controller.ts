export const AbortController = globalThis.AbortController;
export const AbortSignal = globalThis.AbortSignal;
