/**
 * Removes boilerplate, such as navigation, footers and banners. It is recognized by landmark elements and roles, and by
 * class names and ids if the element also looks like boilerplate. Lists of links to parts of the page are removed, too.
 */
import type { CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { removeElements, select } from './html-document.ts';
import { TextSizes } from './page-text.ts';

const CANDIDATES = 'nav, footer, aside, header, a, ul, ol, [role], [class], [id]';
const LANDMARK_ROLES = new Set(
  'navigation banner contentinfo search menu menubar toolbar dialog alertdialog'.split(' '),
);
const LINK_LIST_NAME =
  /^(sidebar|side-?nav|nav(bar|igation|-?menu)?|menu|toc|table-?of-?contents|on-?this-?page|breadcrumbs?|pager|pagination|prev-?next|related|see-?more|tag-?cloud|links?|topics|jumpbox|switchers?)$/;
const ASIDE_NAME =
  /^(footer|foot-?note-?bar|colophon|copyright|cookies?|consent|gdpr|newsletter|subscribe|share|sharing|social|ads?|advert(isement)?|promo|sponsors?|skip(-?to)?|edit-?(section|page|link)|header-?link|perma-?link|anchor-?link|feedback|login|banner|visually-?hidden|sr-?only|line-?(nos?|numbers?)|gutter)$/;
const FRAGMENT_MARK = /^[\s¶#§†🔗∞\u200b\uf0c1]*$/u;
const MAX_LINK_DENSITY = 0.5;
/** Minimum number of letters outside links for text to count as prose. */
const MIN_PROSE_LETTERS = 140;

/**
 * The part of a page that is being cleaned: the text sizes of its elements, its number of letters, and whether the page
 * marks it as its main part.
 */
type Page = { $: CheerioAPI; sizes: TextSizes; total: number; isMarkedMain: boolean };

/**
 * Removes navigation, footers, banners, tables of contents and the like from an element. Set `isMarkedMain` if the page
 * marks the element as its main part.
 */
export function removeBoilerplate($: CheerioAPI, root: Element, isMarkedMain: boolean): void {
  const sizes = new TextSizes(root);
  const page: Page = { $, sizes, total: sizes.of(root).letters, isMarkedMain };
  removeElements(select($, root, CANDIDATES).filter((element) => isBoilerplate(element, page)));
}

function isBoilerplate(at: Element, page: Page): boolean {
  const { $, sizes, isMarkedMain } = page;
  const { role = '' } = at.attribs;
  const hasTitle = () => select($, at, 'h1').length > 0;
  if (at.name === 'nav' || LANDMARK_ROLES.has(role)) return true;
  if (at.name === 'footer') return !hasTitle();
  if (at.name === 'aside' || role === 'complementary') return !isMarkedMain || sizes.linkDensity(at) > MAX_LINK_DENSITY;
  if (at.name === 'header') return !isMarkedMain && isSmall(at, page) && !hasTitle();
  if (at.name === 'a') return isHeadingAnchor(at, page);
  return isNamedBoilerplate(at, page) || isContentsList(at, page);
}

/**
 * Whether an element is a small part of the page. A large part is content, whatever its class or id. Short elements may
 * be a larger share of the page, because even a footer is a large part of a short page.
 */
function isSmall(at: Element, { sizes, total }: Page): boolean {
  const { letters } = sizes.of(at);
  return letters < total * (letters < 2 * MIN_PROSE_LETTERS ? 0.6 : 0.3);
}

/** Whether a link to a fragment is the anchor of a heading: it is empty or has only symbols such as `¶` or `#`. */
function isHeadingAnchor(at: Element, { $ }: Page): boolean {
  const link = $(at);
  return Boolean(link.attr('href')?.includes('#')) && link.children().length === 0 && FRAGMENT_MARK.test(link.text());
}

/**
 * Whether the class or id suggests boilerplate and the element looks like it: small, and, for navigation, mostly links.
 * Ids are ignored in the main part and on elements with more than MIN_PROSE_LETTERS of prose, where they are link
 * targets.
 */
function isNamedBoilerplate(at: Element, page: Page): boolean {
  const { class: classes = '', id = '' } = at.attribs;
  if ((classes === '' && id === '') || !isSmall(at, page) || /^h[1-6]$/.test(at.name)) return false;
  const hasTargetId = page.isMarkedMain || page.sizes.prose(at) > MIN_PROSE_LETTERS;
  for (const name of (hasTargetId ? classes : `${classes} ${id}`).toLowerCase().split(/\s+/)) {
    const parts = [name, ...name.split(/[_-]+/)];
    if (parts.some((part) => ASIDE_NAME.test(part))) return true;
    if (parts.some((part) => LINK_LIST_NAME.test(part)) && page.sizes.linkDensity(at) > MAX_LINK_DENSITY) return true;
  }
  return false;
}

/** Whether a list consists almost entirely of links, all of them to parts of its own page. */
function isContentsList(at: Element, { $, sizes }: Page): boolean {
  if ((at.name !== 'ul' && at.name !== 'ol') || sizes.linkDensity(at) < 0.9) return false;
  const links = select($, at, 'a[href]');
  return links.length > 1 && links.every(({ attribs }) => attribs.href?.startsWith('#'));
}
