/** Finds the lines that mail programs, in many languages, write to introduce a quoted email. */
import { isQuotedLine, matches, MAX_MARKER_CHARACTERS } from './marker-lines.ts';

const MAX_ATTRIBUTION_LINES = 4;

/** The verb of an attribution such as `On 5 January, Ann wrote:`. In some languages, the verb is the end of a word. */
const ATTRIBUTION_VERB =
  /(^|[\s,)>\]])(wrote|writes|schrieb|schreibt|geschrieben|a écrit|ha scritto|escribió|escreveu|schreef|geschreven|skrev|kirjoitti|napsala?|napisała?|pisze|írta|a scris|έγραψε|yazdı|написала?|пишет|писал)(?=[\s:：(,])|(のメール|書きました|写道|寫道|작성)\s*[:：]$/iu;

/** The beginning of an attribution, which may continue on the next lines. */
const ATTRIBUTION_START =
  /^((on|am|le|il|el|em|op|den|w dniu|dnia|no dia|il giorno|dne)\s|(пн|вт|ср|чт|пт|сб|вс),|\p{L}{2,4}\.?,? \d{1,2}\b|\d{1,4}[./年-])/iu;

const CLOCK_TIME = /\d{1,2}[:.]\d{2}/;
const BRACKETED_ADDRESS = /[<([][^<>()[\]\s]+@[^<>()[\]\s]+[>)\]]/;

const hasBalancedBrackets = (text: string): boolean =>
  (text.match(/</g)?.length ?? 0) === (text.match(/>/g)?.length ?? 0);

/** Whether a text is the line that introduces a quoted email. */
const isAttribution = (text: string): boolean =>
  text.length <= MAX_MARKER_CHARACTERS &&
  /[:：]$/.test(text) &&
  hasBalancedBrackets(text) &&
  (ATTRIBUTION_VERB.test(text) ? /[\d@]/.test(text) : CLOCK_TIME.test(text) && BRACKETED_ADDRESS.test(text));

/** The line that introduces a quoted email. Mail programs may wrap it, so it may span several lines of the text. */
export interface Attribution {
  first: number;
  last: number;
  /**
   * Whether the line contains a time and an address. The text after such a line is a quoted email even without `>`.
   */
  isSpecific: boolean;
}

const joinLines = (lines: string[], first: number, last: number): string =>
  lines
    .slice(first, last + 1)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the attribution that ends at the line `last`, or null. */
export const attributionEndingAt = (lines: string[], last: number): Attribution | null => {
  if (!matches(lines[last] ?? '', /[:：]\s*$/)) return null;
  const candidates: { first: number; text: string }[] = [];
  for (let first = last; first > last - MAX_ATTRIBUTION_LINES && first >= 0; first -= 1) {
    const line = lines[first] as string;
    const isOver = line.length > MAX_MARKER_CHARACTERS || !line.trim() || (isQuotedLine(line) && first !== last);
    if (isOver) break;
    const text = joinLines(lines, first, last);
    if (isAttribution(text)) candidates.push({ first, text });
  }
  const found = candidates.find(({ text }) => ATTRIBUTION_START.test(text)) ?? candidates[0];
  if (!found) return null;
  const isSpecific = CLOCK_TIME.test(found.text) && BRACKETED_ADDRESS.test(found.text);
  return { first: found.first, last, isSpecific };
};
