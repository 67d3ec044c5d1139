export const ACTOR = { objectType: 'Agent', account: { homePage: 'https://lms.example', name: 'learner-7' } };
export const REGISTRATION = '760e3480-ba55-4991-94b0-01820dbd23a2';
export const ACTIVITY = 'https://lms.example/activities/12';

/** The address by which a platform at `platform` launches `page`. */
export function launchAddress(
  platform: string,
  page = 'https://vitrine.example/cmi5.html?lesson=the-loop',
  more: Readonly<Record<string, string>> = {},
): string {
  const url = new URL(page);
  const parameters = {
    endpoint: `${platform}/xapi/`,
    fetch: `${platform}/token?k=1`,
    actor: JSON.stringify(ACTOR),
    registration: REGISTRATION,
    activityId: ACTIVITY,
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
