import { browserPreferences } from '../../../../state/preferences.ts';

const KEY = 'format-on-save';
const preferences = browserPreferences();
let on = $state(preferences.get(KEY) === 'on');

/** The person's choice for all files in this browser. */
export const formatOnSave = {
  get on(): boolean {
    return on;
  },
  set(value: boolean): void {
    on = value;
    preferences.set(KEY, value ? 'on' : 'off');
  },
};
