/** The id of the button that begins to change a message. */
export const editAnchor = (messageID: string): string => `edit-${messageID}`;

/** The id of the button that leads to the version before or after this one. */
export const versionAnchor = (way: 'previous' | 'next', messageID: string): string => `${way}-${messageID}`;
