const REFRESH_INTERVAL_MS = 5000;
const checkbox = document.querySelector('#refresh');
const status = document.querySelector('[role="status"]');

/** The scroll position of each table, which a refresh keeps. */
const scrollLefts = () => [...document.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);

const show = (html) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const positions = scrollLefts();
  for (const selector of ['#sections', '#as-of time'])
    document.querySelector(selector).replaceWith(page.querySelector(selector));
  for (const [index, region] of document.querySelectorAll('.scroll').entries())
    region.scrollLeft = positions[index] ?? 0;
};

/** Whether a refresh would take away what the reader is using: the focus or selected text. */
const isInUse = () =>
  document.querySelector('#sections').contains(document.activeElement) || !document.getSelection().isCollapsed;

const refresh = async () => {
  if (!checkbox.checked || document.hidden || isInUse()) return;
  try {
    const response = await fetch(location.pathname);
    if (!response.ok) throw new Error(`status ${response.status}`);
    show(await response.text());
    status.textContent = '';
  } catch (error) {
    status.textContent = `not refreshed: ${error.message}`;
  }
};

setInterval(refresh, REFRESH_INTERVAL_MS);
