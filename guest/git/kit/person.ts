/** The person who made a commit or tag, with the time. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Such as `+0100`. */
  readonly zone: string;
}

export function parsePerson(text: string): Person {
  const [, name = '', email = '', time = '0', zone = '+0000'] =
    /^([^<]*?) ?<([^>]*)> ?(-?\d+)? ?([-+]\d{4})?$/.exec(text) ?? [];
  return { name, email, time: Number(time), zone };
}

export function personText({ name, email, time, zone }: Person): string {
  return `${name} <${email}> ${time} ${zone}`;
}
