/** Reduces a page to the elements that the options of a content select. */
import type { CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { AppError } from '#shared/errors.ts';
import { removeElements, select } from './html-document.ts';
import type { ScrapeOptions } from './parsing-tasks.ts';

/** Whether the options select no particular elements, so that the main part of the page is extracted. */
const isDefault = ({
  tags_to_extract = [],
  unwanted_tags = [],
  unwanted_classnames = [],
  desired_classnames = [],
}: ScrapeOptions) =>
  tags_to_extract.every((tag) => tag === 'body') &&
  [unwanted_tags, unwanted_classnames, desired_classnames].every(({ length }) => length === 0);

/** Whether the options select a part of the page. */
export const hasSelection = (options: ScrapeOptions | undefined): options is ScrapeOptions =>
  options !== undefined && !isDefault(options);

const selectAll = ($: CheerioAPI, root: Element, selectors: string[]): Element[] => {
  if (!selectors.length) return [];
  try {
    return select($, root, selectors.join(', '));
  } catch {
    const names = selectors.join(', ').slice(0, 200);
    throw new AppError(422, 'BAD_SELECTOR', `scrape_options contains an invalid CSS selector: ${names}`);
  }
};

const hasClass = (element: Element, names: Set<string>): boolean =>
  (element.attribs.class ?? '').split(/\s+/).some((name) => names.has(name));

const withClasses = ($: CheerioAPI, root: Element, names: string[]): Element[] => {
  const wanted = new Set(names);
  return select($, root, '[class]').filter((element) => hasClass(element, wanted));
};

/** Returns the elements that are not inside another element of the list. */
const outermostElements = (elements: Element[]): Element[] => {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let at = element.parent; at; at = at.parent) if (all.has(at as Element)) return false;
    return true;
  });
};

/**
 * Removes the unwanted elements, and returns the outermost elements that the options select, in reading order. Throws
 * `NO_SELECTION` if there are none, and `BAD_SELECTOR` for an invalid selector.
 */
export const selectedElements = ($: CheerioAPI, root: Element, options: ScrapeOptions): Element[] => {
  const { tags_to_extract = [], unwanted_tags = [], unwanted_classnames = [], desired_classnames = [] } = options;
  removeElements([...selectAll($, root, unwanted_tags), ...withClasses($, root, unwanted_classnames)]);
  const selectors = tags_to_extract.filter((tag) => tag !== 'body');
  const wanted = [...selectAll($, root, selectors), ...withClasses($, root, desired_classnames)];
  if (!selectors.length && !desired_classnames.length) return [root];
  const found = new Set(wanted);
  const ordered = select($, root, '*').filter((element) => found.has(element));
  if (!ordered.length)
    throw new AppError(
      422,
      'NO_SELECTION',
      'No element of the page matches scrape_options.tags_to_extract or desired_classnames; change the options.',
    );
  return outermostElements(ordered);
};
