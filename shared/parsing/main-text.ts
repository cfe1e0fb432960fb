/** The part of a page that was written for its readers, cheaply where the page's marks allow it. */
import { linkDensity, prune } from './boilerplate.ts';
import { extractByScoring } from './scoring.ts';
import { type Element, elements, names, parseTree, type Tree } from './tree.ts';

/** Fewer letters than this outside links are hardly a text. */
const MIN_LETTERS = 140;
/** No more letters than this are what scripts were to fill. */
const HUSK = 40;
/** An element that holds this share of the text is followed down; what stands beside it is decoration. */
const DOMINANT = 0.85;
const CONTAINERS = names('html body div section article main table tbody tr td form center header');

const prose = (at: Element): number => at.text - at.linked;
const isMain = ({ name, attributes }: Element): boolean => name === 'main' || attributes.role === 'main';

/** A page reduced to its main part; only where that finds little besides links is the costly extractor asked too. */
export async function mainText(html: string): Promise<Tree> {
  const tree = parseTree(html);
  const everything = prose(tree.root);
  const marked = markedMain(tree.root);
  if (marked) {
    prune(marked, true);
    return { ...tree, root: marked };
  }
  const root = densest(tree.root);
  if (!isPoor(root, everything)) return { ...tree, root };
  const scored = await extractByScoring(html);
  return { ...tree, root: scored && prose(scored) > prose(root) ? scored : root };
}

/** The element the page itself calls main, or an article that is the better part of it; undefined where that is a husk. */
function markedMain(root: Element): Element | undefined {
  const found = [...elements(root)];
  const main = largest(found.filter(isMain));
  if (main && main.text > HUSK) return main;
  const article = largest(found.filter(({ name }) => name === 'article'));
  return article && prose(article) >= prose(root) * 0.4 ? article : undefined;
}

const largest = (among: Element[]): Element | undefined => among.toSorted((a, b) => b.text - a.text)[0];

/** The innermost element that holds nearly all text outside links, and beside which no passage stands. */
function densest(root: Element): Element {
  prune(root, false);
  let at = root;
  for (;;) {
    const parts = at.children.filter((child) => typeof child !== 'string');
    const inner = parts.find((part) => prose(part) > DOMINANT * prose(at));
    const passages = parts.some((part) => part !== inner && part.text > 0 && !CONTAINERS.has(part.name));
    if (!inner || passages || !CONTAINERS.has(inner.name)) return at;
    at = inner;
  }
}

const isPoor = (root: Element, everything: number): boolean =>
  everything > MIN_LETTERS && (prose(root) < MIN_LETTERS || linkDensity(root) > 0.6 || prose(root) < everything * 0.25);
