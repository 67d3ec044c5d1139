/** Replaces a secret in text. */
export const MASK = '[secret]';

/**
 * Keys and tokens that are recognized by their form. `X{16}X*` instead of `X{16,}` here, and `XX*` instead of `X+` below:
 * these overflow the engine's stack in a run of some million characters, `X+` only where the engine optimizes no more.
 */
const KNOWN_FORMS = [
  // OpenAI, Anthropic, OpenRouter, Stripe and others alike
  String.raw`(?:sk|rk|pk)[-_][\w-]{16}[\w-]*`,
  String.raw`gh[opsru]_\w{16}\w*`,
  String.raw`github_pat_\w{16}\w*`,
  String.raw`glpat-[\w-]{16}[\w-]*`,
  String.raw`xox[a-z]-[\w-]{10}[\w-]*`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
  String.raw`AIza[\w-]{30}[\w-]*`,
  String.raw`ya29\.[\w.-]{16}[\w.-]*`,
  String.raw`(?:npm|hf|gsk|shpat|dop_v1|tvly)[-_]\w{16}\w*`,
  String.raw`xai-\w{16}\w*`,
  String.raw`SG\.[\w-]{16}[\w-]*\.[\w-]{16}[\w-]*`,
  String.raw`eyJ[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*\.[\w-]*`,
].join('|');

// The repetition is bounded because the engine's stack would overflow in a string of some million characters.
const VALUE = String.raw`\$\{\w\w*\}|"(?:[^"\\\n]|\\.){0,10000}"|'[^'\n]*'|["']?[^\s"'&;|,)}][^\s"'&;|,)}]*`;

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END[A-Z -]*/g;
const KNOWN_FORM = new RegExp(String.raw`(?<![\w-])(?:${KNOWN_FORMS})`, 'g');
/** `https://name:password@host` */
const IN_ADDRESS = /(\/\/)[^\s/@:"']{0,200}:[^\s/@"']{1,400}(@)/g;
const AUTHORIZATION = /\b(bearer|basic|token)(\s+)[\w.~+/=-]{8}[\w.~+/=-]*/gi;
/** `curl -u name:password` */
const USER_OPTION = /(?<=\s)(-u|--user)([\s=]+["']?[^\s:"']{0,200}:)[^\s"'][^\s"']*/g;
/** `NAME=value`, `"name": "value"`, `Name: value` */
const ASSIGNED = new RegExp(
  String.raw`(?<![\w.-])([\w.-]{1,80})(["']?[ \t]{0,3}[=:][ \t]{0,3})(${VALUE})`,
  'g',
);
/** `--name value`; with `=` it is an assignment. */
const OPTION = new RegExp(String.raw`(?<=^|\s)(--?[\w-]{1,80})([ \t]+)(?!-)(${VALUE})`, 'g');
/** A reference to a variable instead of a value gives nothing away. */
const REFERENCE = /^["']?(?:\$\w\w*|\$\{\w\w*\}|\{env:\w\w*\})["']?$/;

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

/** Whether a value of this name is likely to be a secret: `GITHUB_TOKEN`, `apiKey`, `--password`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)
    .filter(Boolean);
  return words.at(-1) === 'key' || words.some((word) => SECRET_WORDS.has(word));
}

/** Masks private keys. A key whose end is missing is masked to the end of the text. */
function maskKeyBlocks(text: string): string {
  let masked = '';
  let end = 0;
  for (const { index } of text.matchAll(KEY_BEGIN)) {
    if (index < end) continue;
    masked += text.slice(end, index) + MASK;
    KEY_END.lastIndex = index;
    end = KEY_END.test(text) ? KEY_END.lastIndex : text.length;
  }
  return end === 0 ? text : masked + text.slice(end);
}

/** Masks keys and tokens that are recognized by their form; code stays as it is. */
export function maskTokens(text: string): string {
  return maskKeyBlocks(text).replace(KNOWN_FORM, MASK);
}

/**
 * Masks everything that looks like a secret: provider keys, bearer tokens, private keys, passwords in addresses,
 * options and assignments. For lists and logs; a permission request is shown unmasked.
 */
export function maskSecrets(text: string): string {
  return maskKeyBlocks(text)
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
  // `key: value` is common in prose and YAML.
  return !(sign.includes(':') && name.toLowerCase() === 'key');
}
