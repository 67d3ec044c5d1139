import { messages } from '../languages/messages.ts';

export const forkWords = messages('fork', {
  goOn: 'Go on from here',
  making: 'Making a session with the files of that moment',
  made: 'This is a new session in its own workspace, with the files of that moment. Your next message goes on from here.',
});
