/** Lets `document.cookie` show the cookies that the app keeps for the workspace's servers. */
export class PageCookies {
  #text: string;

  constructor(text: string, said: (text: string) => void) {
    this.#text = text;
    Object.defineProperty(Document.prototype, 'cookie', {
      configurable: true,
      get: () => this.#text,
      set: (given: unknown) => {
        const cookie = String(given);
        this.#note(cookie);
        said(cookie);
      },
    });
  }

  become(text: string): void {
    this.#text = text;
  }

  /** A page expects to read at once what it has set; the app says afterwards what became of it. */
  #note(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const others = this.#text.split('; ').filter((each) => each !== '' && !each.startsWith(`${name}=`));
    const ends = attributes.some((each) => {
      const [key = '', value = ''] = each.trim().split('=');
      if (/^max-age$/i.test(key)) return Number(value) <= 0;
      return /^expires$/i.test(key) && Date.parse(value) <= Date.now();
    });
    this.#text = [...others, ...(ends ? [] : [pair.trim()])].join('; ');
  }
}
