/** The errors of the specification of web crypto, with node's wording. */
export const fault = (name: string, message: string) => new DOMException(message, name);
export const dataFault = (message: string) => fault('DataError', message);
export const operationFault = (message: string) => fault('OperationError', message);
export const accessFault = (message: string) => fault('InvalidAccessError', message);
export const syntaxFault = (message: string) => fault('SyntaxError', message);
export const notSupported = (message: string) => fault('NotSupportedError', message);
export const unknownAlgorithm = () => notSupported('Unrecognized algorithm name');
export const failed = () => operationFault('The operation failed for an operation-specific reason');

const isForProgram = (error: unknown) =>
  error instanceof Error && /^ERR_(?:INVALID|MISSING)/.test(String(Reflect.get(error, 'code')));

/** Turns errors inside into those of the specification. */
export function guarded<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof DOMException || isForProgram(error) ? error : failed();
  }
}
