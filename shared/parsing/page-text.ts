/** The text of elements: its lines, its letters, and the letters inside links. */
import { type AnyNode, type Element, isTag, isText } from 'domhandler';

/** How many letters an element holds, and how many of them are inside links. */
export type TextSize = { letters: number; linkedLetters: number };

const INLINE_NAMES = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Whether an element is inline. */
export const isInline = ({ name }: Element): boolean => INLINE_NAMES.has(name);

/** Returns the text of a node on one line. */
export const singleLineText = (at: AnyNode): string => textWithLines(at).replace(/\s+/g, ' ').trim();

/**
 * Returns the text of a node with its line breaks and indentation; the text of a block element ends in a line break.
 */
export function textWithLines(at: AnyNode): string {
  if (isText(at)) return at.data;
  if (!isTag(at)) return '';
  if (at.name === 'br') return '\n';
  const text = at.children.map(textWithLines).join('');
  return isInline(at) || text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Counts the characters of a string, excluding white space. */
export function countLetters(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) letters++;
  return letters;
}

/** The text sizes of a root element and of all its descendants. */
export class TextSizes {
  readonly #sizes = new Map<Element, TextSize>();

  constructor(root: Element) {
    this.#measure(root, false);
  }

  /** Returns the size of an element; zero for an element outside the measured root. */
  of(element: Element): TextSize {
    return this.#sizes.get(element) ?? { letters: 0, linkedLetters: 0 };
  }

  /** Returns the number of letters outside links. */
  prose(element: Element): number {
    const { letters, linkedLetters } = this.of(element);
    return letters - linkedLetters;
  }

  /** Returns the share of an element's letters that are inside links. */
  linkDensity(element: Element): number {
    const { letters, linkedLetters } = this.of(element);
    return letters === 0 ? 0 : linkedLetters / letters;
  }

  #measure(element: Element, isInLink: boolean): TextSize {
    const size: TextSize = { letters: 0, linkedLetters: 0 };
    const isLink = isInLink || element.name === 'a';
    for (const child of element.children) {
      if (isText(child)) {
        const letters = countLetters(child.data);
        size.letters += letters;
        if (isLink) size.linkedLetters += letters;
      } else if (isTag(child)) {
        const inner = this.#measure(child, isLink);
        size.letters += inner.letters;
        size.linkedLetters += inner.linkedLetters;
      }
    }
    this.#sizes.set(element, size);
    return size;
  }
}
