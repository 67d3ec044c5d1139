import { messages } from '../languages/messages.ts';

export const scriptWords = messages('script', {
  script: 'Script',
  hint: 'What the model will say, as JSON: text and tool calls, step by step. Tools really run and ask as usual. A script with files gets a new workspace.',
  file: 'Choose a file',
  example: `{
  "version": 1,
  "title": "Read a note",
  "files": { "notes.txt": "Buy milk\\n" },
  "turns": [
    {
      "steps": [
        { "tools": [{ "tool": "read", "input": { "filePath": "notes.txt" } }] },
        { "text": "The note says: buy milk." }
      ]
    }
  ]
}
`,
});
