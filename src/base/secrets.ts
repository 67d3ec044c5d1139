/** What stands in place of a secret. */
export const MASK = '[secret]';

/** Keys and tokens that tell by their form what they are. */
const KNOWN_FORMS = [
  // OpenAI, Anthropic, OpenRouter, Stripe and others alike
  String.raw`(?:sk|rk|pk)[-_][\w-]{16,}`,
  String.raw`gh[opsru]_\w{16,}`,
  String.raw`github_pat_\w{16,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`xox[a-z]-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w.-]{16,}`,
  String.raw`(?:npm|hf|gsk|shpat|dop_v1|tvly)[-_]\w{16,}`,
  String.raw`xai-\w{16,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
].join('|');

const VALUE = String.raw`\$\{\w+\}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|["']?[^\s"'&;|,)}]+`;

const KEY_BLOCK =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----END))*(?:-----END[A-Z -]*)?/g;
const KNOWN_FORM = new RegExp(String.raw`(?<![\w-])(?:${KNOWN_FORMS})`, 'g');
/** `https://name:password@host` */
const IN_ADDRESS = /(\/\/)[^\s/@:"']{0,200}:[^\s/@"']{1,400}(@)/g;
const AUTHORIZATION = /\b(bearer|basic|token)(\s+)[\w.~+/=-]{8,}/gi;
/** `curl -u name:password` */
const USER_OPTION = /(?<=\s)(-u|--user)([\s=]+["']?[^\s:"']{0,200}:)[^\s"']+/g;
/** `NAME=value`, `"name": "value"`, `Name: value` */
const ASSIGNED = new RegExp(
  String.raw`(?<![\w.-])([\w.-]{1,80})(["']?[ \t]{0,3}[=:][ \t]{0,3})(${VALUE})`,
  'g',
);
/** `--name value`; with `=` it is an assignment. */
const OPTION = new RegExp(String.raw`(?<=^|\s)(--?[\w-]{1,80})([ \t]+)(?!-)(${VALUE})`, 'g');
/** A name in place of a value tells nothing. */
const REFERENCE = /^["']?(?:\$\w+|\$\{\w+\}|\{env:\w+\})["']?$/;

const SECRET_WORDS = new Set([
  'apikey',
  'authtoken',
  'credential',
  'credentials',
  'passphrase',
  'passwd',
  'password',
  'secret',
  'token',
]);

/** Whether what has this name is likely to be a secret: `GITHUB_TOKEN`, `apiKey`, `--password`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)
    .filter(Boolean);
  return words.at(-1) === 'key' || words.some((word) => SECRET_WORDS.has(word));
}

/** `text` without what tells by its form that it is a key or a token; code stays as it is. */
export function maskTokens(text: string): string {
  return text.replace(KEY_BLOCK, MASK).replace(KNOWN_FORM, MASK);
}

/**
 * `text` without what looks like a secret: keys of providers, bearer tokens, private keys, passwords in addresses,
 * options and assignments. For lists and logs; what a person is asked to allow is shown as it is.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(KEY_BLOCK, MASK)
    .replace(KNOWN_FORM, MASK)
    .replace(IN_ADDRESS, `$1${MASK}$2`)
    .replace(AUTHORIZATION, `$1$2${MASK}`)
    .replace(USER_OPTION, `$1$2${MASK}`)
    .replace(ASSIGNED, (whole, name: string, sign: string, value: string) =>
      isSecret(name, sign, value) ? `${name}${sign}${MASK}` : whole,
    )
    .replace(OPTION, (whole, name: string, space: string, value: string) =>
      isSecretName(name) && !REFERENCE.test(value) ? `${name}${space}${MASK}` : whole,
    );
}

function isSecret(name: string, sign: string, value: string): boolean {
  if (!isSecretName(name) || REFERENCE.test(value)) return false;
  // `key: value` is ordinary prose and YAML.
  return !(sign.includes(':') && name.toLowerCase() === 'key');
}
