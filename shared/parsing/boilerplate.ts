/**
 * Removes boilerplate, such as navigation, footers and banners. It is recognised by landmark elements and roles, by
 * class names and ids if the element also looks like boilerplate, and by links that lead only within the page.
 */
import { descendants, type Element, nameSet } from './html-tree.ts';

const LANDMARK_ROLES = nameSet('navigation banner contentinfo search menu menubar toolbar dialog alertdialog');
const HEADING_NAMES = nameSet('h1 h2 h3 h4 h5 h6');
const LINK_LIST_NAME =
  /^(sidebar|side-?nav|nav(bar|igation|-?menu)?|menu|toc|table-?of-?contents|on-?this-?page|breadcrumbs?|pager|pagination|prev-?next|related|see-?more|tag-?cloud|links?|topics|jumpbox|switchers?)$/;
const ASIDE_NAME =
  /^(footer|foot-?note-?bar|colophon|copyright|cookies?|consent|gdpr|newsletter|subscribe|share|sharing|social|ads?|advert(isement)?|promo|sponsors?|skip(-?to)?|edit-?(section|page|link)|header-?link|perma-?link|anchor-?link|feedback|login|banner|visually-?hidden|sr-?only|line-?(nos?|numbers?)|gutter)$/;
const FRAGMENT_MARK = /^[\s¶#§†🔗∞\u200b\uf0c1]*$/u;
const MAX_LINK_DENSITY = 0.5;
/** Minimum number of letters outside links for text to count as prose. */
const MIN_PROSE_LETTERS = 140;

/** Returns the share of an element's letters that are inside links. */
export const linkDensity = (at: Element): number => (at.letters === 0 ? 0 : at.linkedLetters / at.letters);

/**
 * Removes navigation, footers, banners, tables of contents and the like from an element. `isMarkedMain` says that the
 * page marks the element as its main part.
 */
export function removeBoilerplate(root: Element, isMarkedMain: boolean): void {
  const total = root.letters;
  const strip = (at: Element): void => {
    at.children = at.children.filter((child) => {
      if (typeof child === 'string') return true;
      const { letters, linkedLetters } = child;
      const isContent = !isBoilerplate(child, total, isMarkedMain);
      if (isContent) strip(child);
      at.letters -= letters - (isContent ? child.letters : 0);
      at.linkedLetters -= linkedLetters - (isContent ? child.linkedLetters : 0);
      return isContent;
    });
  };
  strip(root);
}

function isBoilerplate(at: Element, total: number, isMarkedMain: boolean): boolean {
  const { role = '' } = at.attributes;
  if (LANDMARK_ROLES.has(role) || at.name === 'nav') return true;
  if (at.name === 'footer') return !hasDescendant(at, 'h1');
  if (at.name === 'aside' || role === 'complementary') return !isMarkedMain || linkDensity(at) > MAX_LINK_DENSITY;
  if (at.name === 'header') return !isMarkedMain && isSmall(at, total) && !hasDescendant(at, 'h1');
  if (at.name === 'a') return isHeadingAnchor(at);
  return isNamedBoilerplate(at, total, isMarkedMain) || isContentsList(at);
}

/**
 * Whether an element is a small part of the page. A large one is the page itself, whatever its name; on short pages
 * even a footer is a large part.
 */
const isSmall = ({ letters }: Element, total: number): boolean =>
  letters < total * (letters < 2 * MIN_PROSE_LETTERS ? 0.6 : 0.3);

/** Whether a link is only a pilcrow or chain sign that leads to its own heading. */
function isHeadingAnchor(at: Element): boolean {
  return (
    (at.attributes.href ?? '').includes('#') &&
    at.children.every((child) => typeof child === 'string' && FRAGMENT_MARK.test(child)) &&
    !hasDescendant(at, 'img')
  );
}

/**
 * Whether the class or id names boilerplate and the element looks like it: small, and for navigation mostly links. Ids
 * are ignored in the main part and on longer prose, where they are link targets.
 */
function isNamedBoilerplate(at: Element, total: number, isMarkedMain: boolean): boolean {
  const { class: classes = '', id = '' } = at.attributes;
  if ((classes === '' && id === '') || !isSmall(at, total) || HEADING_NAMES.has(at.name)) return false;
  const hasTargetId = isMarkedMain || at.letters - at.linkedLetters > MIN_PROSE_LETTERS;
  for (const name of (hasTargetId ? classes : `${classes} ${id}`).toLowerCase().split(/\s+/)) {
    const parts = [name, ...name.split(/[_-]+/)];
    if (parts.some((part) => ASIDE_NAME.test(part))) return true;
    if (parts.some((part) => LINK_LIST_NAME.test(part)) && linkDensity(at) > MAX_LINK_DENSITY) return true;
  }
  return false;
}

/** Whether a list only links to parts of its own page. */
function isContentsList(at: Element): boolean {
  if ((at.name !== 'ul' && at.name !== 'ol') || at.letters === 0 || linkDensity(at) < 0.9) return false;
  let links = 0;
  for (const { name, attributes } of descendants(at)) {
    if (name !== 'a' || attributes.href === undefined) continue;
    if (!attributes.href.startsWith('#')) return false;
    links++;
  }
  return links > 1;
}

const hasDescendant = (at: Element, name: string): boolean => descendants(at).some((inner) => inner.name === name);
