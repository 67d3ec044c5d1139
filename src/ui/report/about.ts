import * as z from 'zod/mini';

/** A page with a recording says this above it. */
const aboutSchema = z.object({
  title: z.string(),
  /** Why the recording is looked at, such as the message of a test that failed. */
  reason: z.optional(z.string()),
  /** The command that opens the recording in the whole app, where it was made. */
  command: z.optional(z.string()),
});

export type About = z.infer<typeof aboutSchema>;

export const readAbout = (text: string): About => aboutSchema.parse(JSON.parse(text));
