/** Extracts the main part of a page, using the page's own markup where possible. */
import type { CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { removeBoilerplate } from './boilerplate.ts';
import { type HtmlPage, parseHtml, removeElements, select } from './html-document.ts';
import { TextSizes } from './page-text.ts';
import { extractByScoring } from './scored-extraction.ts';

/** A page reduced to its main part, with its title. */
export type MainText = { $: CheerioAPI; root: Element; title: string };

/** Minimum number of letters outside links for text to count as prose. */
const MIN_LETTERS = 140;
/** An element with at most this many letters is a placeholder that scripts fill. */
const MAX_PLACEHOLDER_LETTERS = 40;
/** A child with more than this share of its parent's prose replaces the parent; the other children are decoration. */
const DOMINANT_SHARE = 0.85;
const CONTAINERS = 'html, body, div, section, article, main, table, tbody, tr, td, form, center, header';

/**
 * Reduces a page to its main part. If the result has little text besides links, the slower `extractByScoring` is tried
 * as well.
 */
export async function extractMainText(html: string): Promise<MainText> {
  const { $, body } = parseHtml(html);
  const title = takeTitle($, body);
  const whole = new TextSizes(body);
  const marked = findMarkedMain({ $, body }, whole);
  removeBoilerplate($, marked ?? body, Boolean(marked));
  if (marked) return { title, $, root: marked };
  const sizes = new TextSizes(body);
  const root = densestElement($, body, sizes);
  if (!isPoor(root, sizes, whole.prose(body))) return { title, $, root };
  const scored = await extractByScoring(html);
  const isBetter = scored && new TextSizes(scored.body).prose(scored.body) > sizes.prose(root);
  return isBetter ? { title, $: scored.$, root: scored.body } : { title, $, root };
}

/** Removes the title elements from a page, and returns the title. */
export function takeTitle($: CheerioAPI, body: Element): string {
  const titles = select($, body, 'title, meta[property="og:title"]');
  const texts = titles.map((title) => title.attribs.content ?? $(title).text());
  removeElements(titles);
  return texts.find((text) => text.trim()) ?? '';
}

/**
 * Returns the largest `main` that is not an empty placeholder, otherwise the largest article if it holds at least 40%
 * of the page's prose.
 */
function findMarkedMain({ $, body }: HtmlPage, sizes: TextSizes): Element | undefined {
  const largest = (selector: string) =>
    select($, body, selector).toSorted((a, b) => sizes.of(b).letters - sizes.of(a).letters)[0];
  const main = largest('main, [role=main]');
  if (main && sizes.of(main).letters > MAX_PLACEHOLDER_LETTERS) return main;
  const article = largest('article');
  return article && sizes.prose(article) >= sizes.prose(body) * 0.4 ? article : undefined;
}

/**
 * Returns the innermost container that holds nearly all text outside links. Does not descend into a container if a
 * sibling of another kind, such as a paragraph, contains text.
 */
function densestElement($: CheerioAPI, root: Element, sizes: TextSizes): Element {
  let at = root;
  for (;;) {
    const parts = $(at).children();
    const inner = parts.get().find((part) => sizes.prose(part) > DOMINANT_SHARE * sizes.prose(at));
    const others = parts.not(CONTAINERS).get();
    const hasOtherProse = others.some((part) => part !== inner && sizes.of(part).letters > 0);
    if (!inner || hasOtherProse || !$(inner).is(CONTAINERS)) return at;
    at = inner;
  }
}

const isPoor = (root: Element, sizes: TextSizes, everything: number): boolean =>
  everything > MIN_LETTERS &&
  (sizes.prose(root) < MIN_LETTERS || sizes.linkDensity(root) > 0.6 || sizes.prose(root) < everything * 0.25);
