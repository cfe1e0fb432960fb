/** The head of all HTML pages. */

export interface PageHead {
  title: string;
  /** The paths of the style sheets. */
  styles: string[];
  /** Whether search engines must not list the page. */
  isHidden?: boolean;
}

/** Returns the beginning of an HTML document, with its head. */
export const pageHead = ({ title, styles, isHidden = false }: PageHead): string => {
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(isHidden ? ['<meta name="robots" content="noindex">'] : []),
    `<title>${title}</title>`,
    '<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">',
    ...styles.map((path) => `<link rel="stylesheet" href="${path}">`),
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${lines.map((line) => `  ${line}\n`).join('')}</head>`;
};
