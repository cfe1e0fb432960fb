/** Lines of a transcript as text, HTML and CSV. */
import { escaped } from '#shared/safe-html.ts';
import { csv as table } from '../http/csv.ts';
import type { Line } from './lines.ts';

/** As text, one message a paragraph. */
export async function* txt(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const { createdAt, senderFullname, text } of lines) yield `[${createdAt}] ${senderFullname}: ${text}\n`;
}

/** As CSV. */
export const csv = (lines: AsyncIterable<Line>) => table(['createdAt', 'senderFullname', 'text'], lines);

const HEAD = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Transcript</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h1 { font-size: 1.2rem }
article { margin: 1rem 0; padding: .6rem .9rem; border: 1px solid #ddd; border-radius: .5rem }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
header { font-size: .85rem; color: #555 }
</style>
</head>
<body>
<h1>Transcript</h1>
`;

const article = ({ createdAt, senderFullname, text }: Line): string => `<article>
<header><strong dir="auto">${escaped(senderFullname)}</strong> <time>${createdAt}</time></header>
<p dir="auto">${escaped(text)}</p>
</article>
`;

/** As a page; whatever was said is text in it. */
export async function* html(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  let head = HEAD;
  for await (const line of lines) {
    yield head + article(line);
    head = '';
  }
  yield `${head}</body>\n</html>\n`;
}
