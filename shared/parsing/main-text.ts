/** Extracts the main part of a page, using the page's own markup where possible. */
import { linkDensity, removeBoilerplate } from './boilerplate.ts';
import { descendants, type Element, type HtmlTree, nameSet, parseHtmlTree } from './html-tree.ts';
import { extractByScoring } from './scored-extraction.ts';

/** Minimum number of letters outside links for text to count as prose. */
const MIN_LETTERS = 140;
/** An element with at most this many letters is a placeholder that scripts fill. */
const MAX_HUSK_LETTERS = 40;
/** A child with this share of its parent's text replaces the parent; its siblings are decoration. */
const DOMINANT_SHARE = 0.85;
const CONTAINER_NAMES = nameSet('html body div section article main table tbody tr td form center header');

const proseLetters = (at: Element): number => at.letters - at.linkedLetters;
const isMain = ({ name, attributes }: Element): boolean => name === 'main' || attributes.role === 'main';

/**
 * Reduces a page to its main part. Only if the result has little text besides links does it also run the slower scoring
 * extractor.
 */
export async function extractMainText(html: string): Promise<HtmlTree> {
  const tree = parseHtmlTree(html);
  const everything = proseLetters(tree.root);
  const marked = findMarkedMain(tree.root);
  if (marked) {
    removeBoilerplate(marked, true);
    return { ...tree, root: marked };
  }
  const root = densestElement(tree.root);
  if (!isPoor(root, everything)) return { ...tree, root };
  const scored = await extractByScoring(html);
  return { ...tree, root: scored && proseLetters(scored) > proseLetters(root) ? scored : root };
}

/**
 * Returns the largest `main` that is not an empty placeholder, or else the largest article if it holds at least 40% of
 * the page's prose.
 */
function findMarkedMain(root: Element): Element | undefined {
  const found = [...descendants(root)];
  const main = largestElement(found.filter(isMain));
  if (main && main.letters > MAX_HUSK_LETTERS) return main;
  const article = largestElement(found.filter(({ name }) => name === 'article'));
  return article && proseLetters(article) >= proseLetters(root) * 0.4 ? article : undefined;
}

const largestElement = (among: Element[]): Element | undefined => among.toSorted((a, b) => b.letters - a.letters)[0];

/** Returns the innermost element that holds nearly all text outside links and has no siblings with prose. */
function densestElement(root: Element): Element {
  removeBoilerplate(root, false);
  let at = root;
  for (;;) {
    const parts = at.children.filter((child) => typeof child !== 'string');
    const inner = parts.find((part) => proseLetters(part) > DOMINANT_SHARE * proseLetters(at));
    const hasOtherProse = parts.some((part) => part !== inner && part.letters > 0 && !CONTAINER_NAMES.has(part.name));
    if (!inner || hasOtherProse || !CONTAINER_NAMES.has(inner.name)) return at;
    at = inner;
  }
}

const isPoor = (root: Element, everything: number): boolean =>
  everything > MIN_LETTERS &&
  (proseLetters(root) < MIN_LETTERS || linkDensity(root) > 0.6 || proseLetters(root) < everything * 0.25);
