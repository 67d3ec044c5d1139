import { messages } from '../../languages/messages.ts';

/** Texts of the sign-in at OpenRouter. */
export const openRouterWords = messages('openRouter', {
  heading: 'Free models, by OpenRouter',
  hint: 'You sign in on openrouter.ai, in this tab, and come back with a key. Models that cost nothing are listed first. Whoever runs one may keep what you send to it. A turn that runs here is stopped.',
  signIn: 'Sign in with OpenRouter',
  signOut: 'Sign out of OpenRouter',
  revoke: 'Signing out forgets the key here. Only deleting it there makes it worthless:',
  working: 'Signing in …',
  leaving: 'Going to openrouter.ai …',
  signedIn: (model: string) => `You are signed in. Prompts go to ${model}, which is free.`,
  signedOut: 'The key is forgotten here.',
  keyHere: 'You are signed in, and the key is kept for this tab. Only the list of models is missing.',
  again: 'Try again',
});
