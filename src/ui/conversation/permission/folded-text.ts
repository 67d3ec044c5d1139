import { charactersOf, type ShownCharacter } from './show-command.ts';

/** A part of a text that is shown, or a mark in place of one. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** A run of blanks that would move what follows out of sight. */
  | { readonly kind: 'blanks'; readonly breaks: number; readonly blanks: number; readonly text: string }
  /** What stands between the beginning and the end of a long text. */
  | {
      readonly kind: 'middle';
      readonly lines: number;
      readonly characters: number;
      readonly pieces: readonly Piece[];
    };

export interface FoldedText {
  readonly pieces: readonly Piece[];
  /** Whether a part is not shown until it is opened. */
  readonly isFolded: boolean;
  readonly lines: number;
  readonly characters: number;
}

/** Two blank lines are usual in code, and more than 32 columns of indentation are not. */
const MOST_BREAKS = 3;
const MOST_COLUMNS = 32;
const TAB_COLUMNS = 8;
/** A longer text is folded. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 600;
/** What is shown of a long text at each end; together it fits the box that it is in, on a phone too. */
const END_LINES = 4;
const END_CHARACTERS = 160;
/** What the mark of a folded run counts for. */
const MARK_CHARACTERS = 12;

const BLANK = /^[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** A character, or a run of blanks that is folded. */
type Unit = ShownCharacter & { readonly folded?: { readonly breaks: number; readonly blanks: number } };

/**
 * The text as it can be shown in little space without hiding that there is more: long runs of blanks become marks that
 * say how many there are, and a long text is its beginning and its end.
 */
export function foldText(text: string): FoldedText {
  const characters = charactersOf(text);
  const units = withoutRuns(characters);
  const pieces = isLong(units) ? endsOf(units) : piecesOf(units);
  return {
    pieces,
    isFolded: pieces.some(({ kind }) => kind !== 'text'),
    lines: text.replace(/\n$/, '').split('\n').length,
    characters: characters.length,
  };
}

function withoutRuns(characters: readonly ShownCharacter[]): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < characters.length;) {
    const start = at;
    while (BLANK.test(characters[at]?.raw ?? '')) at++;
    if (at > start) units.push(...runOf(characters.slice(start, at)));
    const next = characters[at++];
    if (next) units.push(next);
  }
  return units;
}

function runOf(run: readonly ShownCharacter[]): readonly Unit[] {
  const breaks = breaksIn(run);
  const tabs = run.filter(({ raw }) => raw === '\t').length;
  const blanks = run.length - breaks;
  if (breaks <= MOST_BREAKS && blanks + tabs * (TAB_COLUMNS - 1) <= MOST_COLUMNS) return run;
  return [{ raw: joined(run, 'raw'), shown: joined(run, 'shown'), folded: { breaks, blanks } }];
}

function isLong(units: readonly Unit[]): boolean {
  return breaksIn(units) >= MOST_LINES || widthOf(units) > MOST_CHARACTERS;
}

function endsOf(units: readonly Unit[]): readonly Piece[] {
  const start = endLength(units);
  const end = units.length - endLength(units.toReversed());
  const middle = units.slice(start, end);
  const raw = joined(middle, 'raw');
  return [
    ...piecesOf(units.slice(0, start)),
    {
      kind: 'middle',
      lines: raw.split('\n').length - 1,
      characters: Array.from(raw).length,
      pieces: piecesOf(middle),
    },
    ...piecesOf(units.slice(end)),
  ];
}

/** How many units from the front fit what is shown of an end. */
function endLength(units: readonly Unit[]): number {
  let lines = 0;
  let width = 0;
  const end = units.findIndex((unit) => {
    lines += unit.raw === '\n' ? 1 : 0;
    width += widthOf([unit]);
    return lines >= END_LINES || width > END_CHARACTERS;
  });
  return end < 0 ? units.length : end;
}

function piecesOf(units: readonly Unit[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  const close = () => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  for (const { shown, folded } of units) {
    if (!folded) text += shown;
    else {
      close();
      pieces.push({ kind: 'blanks', ...folded, text: shown });
    }
  }
  close();
  return pieces;
}

function breaksIn(units: readonly Unit[]): number {
  return units.filter(({ raw }) => raw === '\n').length;
}

function widthOf(units: readonly Unit[]): number {
  return units.reduce((sum, { shown, folded }) => sum + (folded ? MARK_CHARACTERS : shown.length), 0);
}

function joined(units: readonly Unit[], form: 'raw' | 'shown'): string {
  return units.map((unit) => unit[form]).join('');
}
