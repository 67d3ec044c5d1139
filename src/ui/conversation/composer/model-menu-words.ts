/** Texts of the model menu, loaded with it. */
export const modelMenuWords = {
  models: 'Models',
  ofSettings: 'Chosen in Settings',
  noKey: ': no key in Settings',
} as const;
