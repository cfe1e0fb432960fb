/** The costly extractor, for pages that give no hint of where their text is: a full DOM and scored paragraphs. */
import { type Element, parseTree } from './tree.ts';

/** Larger pages would take longer than a page is worth. */
const MAX_LETTERS = 1_000_000;

/** The main part of a page as the scoring library sees it; undefined where it finds none. Reads nothing but the given text. */
export async function extractByScoring(html: string): Promise<Element | undefined> {
  if (html.length > MAX_LETTERS) return undefined;
  const [{ DefuddleClass }, { DOMParser }] = await Promise.all([import('defuddle/node'), import('linkedom')]);
  try {
    const document = new DOMParser().parseFromString(html, 'text/html');
    Object.assign(document, { styleSheets: [] });
    // The synchronous parse: the other one may ask third parties for a page's text.
    const { content } = new DefuddleClass(document, { url: 'about:blank', useAsync: false }).parse();
    return content ? parseTree(content).root : undefined;
  } catch {
    // A page it stumbles over still has what the cheap way found.
    return undefined;
  }
}
