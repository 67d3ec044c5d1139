/** The texts of the page that a learning platform launches. The other languages have the same names. */
export const english = {
  title: 'Lesson',
  connecting: (host: string) => `Connecting to ${host}…`,
  reporting: (host: string) => `Your progress is reported to ${host}.`,
  completed: (host: string) => `${host} has this lesson as completed.`,
  looking: (host: string) => `${host} opened this lesson for a look: nothing is reported as done.`,
  mustPass:
    'Your course counts this lesson only if it is passed, but a lesson that is read cannot be passed. Tell whoever made the course: the lesson’s setting moveOn should be Completed.',
  notReported: 'Your progress is not reported. You can still read the lesson.',
  delayed: (host: string) => `Your progress has not reached ${host} yet. It is sent again by itself.`,
  retry: 'Try again',
  leave: 'Leave the lesson',
  backTo: (host: string) => `Back to ${host}`,
  leaveAnyway: 'Leave without reporting',
  mayClose: 'You have come to the end, and can close this page.',
  ended: 'The lesson has ended, and you can close this page. To go on, open the lesson from your course.',
  nextAttempt: (time: string) => `The next attempt is at ${time}.`,
  details: 'Technical details',
};

/** The codes of the faults of launches and reports. */
type FaultCode =
  'cmi5-launch' | 'cmi5-sign-in' | 'cmi5-unreachable' | 'cmi5-closed' | 'cmi5-busy' | 'cmi5-refused';

export type Words = typeof english & {
  /** These texts say what has happened and what to do. English does without them, because the faults themselves are in English. */
  readonly faults?: Readonly<Record<FaultCode, string>>;
};
