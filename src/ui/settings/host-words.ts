import { messages } from '../languages/messages.ts';

export const hostWords = messages('host', {
  hosts: 'Hosts that programs may reach',
  hostsHint:
    'One per line, e.g. api.example.com, example.com:8443 or *.example.com. Code in an embedded workspace can ask these, and send them whatever it reads; permission is asked for the command, not for each request. Only hosts that let web pages read them (CORS) answer.',
});
