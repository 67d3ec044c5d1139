import { format } from '../internal/inspect.ts';

/** Prints a message with the time, as the old `util.log` does. */
export const log = (...args: unknown[]) => {
  const now = new Date();
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map((each) =>
    String(each).padStart(2, '0'),
  );
  const month = now.toLocaleString('en', { month: 'short' });
  console.log('%s - %s', `${now.getDate()} ${month} ${time.join(':')}`, format(...args));
};
