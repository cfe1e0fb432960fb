/** Formats the lines of a transcript as text, HTML and CSV. */
import { escapeHtml } from '#shared/security/escape-html.ts';
import { csv as csvTable } from '../http/response/csv.ts';
import type { TranscriptLine } from './transcript-lines.ts';

/** Formats the lines as plain text. Each message starts on a new line. */
export async function* txt(lines: AsyncIterable<TranscriptLine>): AsyncGenerator<string> {
  for await (const { createdAt, senderFullname, text } of lines) yield `[${createdAt}] ${senderFullname}: ${text}\n`;
}

/** Formats the lines as CSV. */
export const csv = (lines: AsyncIterable<TranscriptLine>) => csvTable(['createdAt', 'senderFullname', 'text'], lines);

/** The text of the style element of the HTML page. */
export const HTML_STYLES = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h1 { font-size: 1.2rem }
article { margin: 1rem 0; padding: .6rem .9rem; border: 1px solid #ddd; border-radius: .5rem }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
header { font-size: .85rem; color: #555 }
`;

const HTML_HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Transcript</title>
<style>${HTML_STYLES}</style>
</head>
<body>
<main>
<h1>Transcript</h1>
`;

const htmlArticle = ({ createdAt, senderFullname, text }: TranscriptLine): string => `<article>
<header><strong dir="auto">${escapeHtml(senderFullname)}</strong> <time>${createdAt}</time></header>
<p dir="auto">${escapeHtml(text)}</p>
</article>
`;

/** Formats the lines as an HTML page; all message content is escaped. */
export async function* html(lines: AsyncIterable<TranscriptLine>): AsyncGenerator<string> {
  let head = HTML_HEAD;
  for await (const line of lines) {
    yield head + htmlArticle(line);
    head = '';
  }
  yield `${head}</main>
</body>\n</html>\n`;
}
