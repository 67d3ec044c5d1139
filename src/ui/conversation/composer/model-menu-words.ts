import { messages } from '../../languages/messages.ts';

/** Texts of the model menu, loaded with it. */
export const modelMenuWords = messages('modelMenu', {
  models: 'Models',
  ofSettings: 'Chosen in Settings',
  noKey: ': no key in Settings',
});
