/** The session that people see when they play the model for the first time. */
export const YOU_TITLE = 'You are the model';
export const YOU_PROMPT = 'Which files are here, and what does note.txt say?';
export const YOU_FILES = {
  'note.txt': 'A model cannot open a file. It can only ask for one: that is a tool call.\n',
  'shopping.txt': 'milk\nbread\napples\n',
};
