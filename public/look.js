// The language, the theme and the sizes that the person chose, before the first paint: the page's modules run only after
// it. `Page.svelte` and `Look` keep all but the language up to date from then on.
(() => {
  const chosen = (key) => {
    try {
      return localStorage.getItem(`vitrine.${key}`);
    } catch {
      return null;
    }
  };
  const asks = (query) => matchMedia(query).matches;
  const root = document.documentElement;
  const { dataset } = root;
  const link = new URLSearchParams(location.search);
  const languages = ['en', 'de', 'ru', 'zh', 'ar'];
  // Tests rely on the English names of the page, so a page that is automated is in English unless its link says otherwise.
  const asked = [
    link.get('lang'),
    ...(link.has('automation') ? ['en'] : []),
    chosen('language'),
    ...navigator.languages,
  ];
  const tags = asked.map((tag) => tag?.toLowerCase().split('-')[0]);
  root.lang = tags.find((tag) => languages.includes(tag)) ?? 'en';
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
  // The text that index.html brings along is that of the first page, and in English.
  if (root.lang === 'en' && !location.search && !location.hash) dataset.welcome = '';
  const theme = chosen('theme');
  const dark = theme === 'dark' || (theme !== 'light' && asks('(prefers-color-scheme: dark)'));
  dataset.theme = dark ? 'dark' : 'light';
  const more = chosen('contrast') === 'more' || asks('(prefers-contrast: more)');
  dataset.contrast = more ? 'more' : 'normal';
  dataset.textSize = chosen('text-size') ?? 'normal';
  dataset.codeSize = chosen('code-size') ?? 'normal';
  dataset.density = chosen('density') ?? 'comfortable';
})();
