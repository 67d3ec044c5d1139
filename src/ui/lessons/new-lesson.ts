import type { LessonSource } from '../../lessons/lesson.ts';

/** The initial text of a new lesson: small, valid, and with one block of each kind. */
export const beginning: LessonSource = {
  markdown: `---
title: My lesson
summary: What the learner will see, in one sentence.
minutes: 5
---

What this is about, in a few sentences.

## Ask for something

What to do, and what to look at. Each heading of this kind begins a step; the step is done when all its checks are met.

\`\`\`prompt
What does notes.txt say?
\`\`\`

\`\`\`hint
*Use this message* puts it into the message box.
\`\`\`

\`\`\`check
{"call": "read", "outcome": "ok"}
{"ask": "Which colour is named in the file?", "accept": ["green", "*green*"]}
\`\`\`
`,
  script: `{
  "version": 1,
  "title": "My lesson",
  "chunkDelayMs": 15,
  "files": { "notes.txt": "The door is green.\\n" },
  "turns": [
    {
      "when": "notes",
      "steps": [
        { "text": "I read it.", "tools": [{ "tool": "read", "input": { "filePath": "notes.txt" } }] },
        { "text": "It says that the door is green." }
      ]
    }
  ]
}
`,
};
