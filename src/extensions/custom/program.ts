import hostUrl from 'guest:guest/tools/main.ts';
import { lazily } from '../../base/lazily.ts';
import { loadText } from '../../base/parts.ts';

/** The source of the host program, fetched when there is code to load. */
export const hostProgram = lazily(() => loadText(hostUrl));
