import hostUrl from 'guest:guest/tools/main.ts';
import { lazily } from '../../base/lazily.ts';

/** The program of the host, fetched when there is code to load. */
export const hostProgram = lazily(async () => {
  const response = await fetch(hostUrl);
  if (!response.ok) throw new Error(`${hostUrl} answered ${response.status}`);
  return response.text();
});
