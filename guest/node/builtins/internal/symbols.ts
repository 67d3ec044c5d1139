export const customPromisify: unique symbol = Symbol.for('nodejs.util.promisify.custom') as never;
/** Names of what a callback is given, where there is more than one value: `fs.read` and the like. */
export const customPromisifyArgs: unique symbol = Symbol.for('nodejs.util.promisify.args') as never;
export const customInspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;
