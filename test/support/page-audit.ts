/** Rules for every page: accessibility, no horizontal scrolling, a stable layout, and a maximum size. */
import axe from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Visit } from './browser.ts';

/** The accessibility rules of WCAG, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const MAX_BYTES = 300_000;
/** The maximum sum of layout shifts, as a share of the window. One line of text that moves exceeds it. */
const MAX_SHIFT = 0.001;

// The browser's debugger evaluates these scripts, so the content security policy of the page does not apply to them.
const FIND_VIOLATIONS = `axe
  .run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(', ')))`;
const SUM_LAYOUT_SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  const add = ({ value, hadRecentInput }) => { sum += hadRecentInput ? 0 : value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})`;
const MEASURE_WIDTHS = '[document.documentElement.scrollWidth, innerWidth]';

/** Returns the accessibility violations of the page in its current state. */
export const accessibilityViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(`${axe.source};undefined`);
  return page.evaluate<string[]>(FIND_VIOLATIONS);
};

/**
 * Fails if a visited page has an accessibility violation, is wider than its window, has an unstable layout, or loads
 * `maxBytes` or more.
 */
export const auditPage = async ({ page, transferredBytes }: Visit, maxBytes = MAX_BYTES): Promise<void> => {
  expect(await accessibilityViolations(page)).to.deep.equal([]);
  const [width = 0, windowWidth = 0] = await page.evaluate<number[]>(MEASURE_WIDTHS);
  expect(width).to.be.at.most(windowWidth);
  expect(await page.evaluate<number>(SUM_LAYOUT_SHIFTS), 'layout shift').to.be.at.most(MAX_SHIFT);
  expect(await transferredBytes(), 'bytes').to.be.below(maxBytes);
};
