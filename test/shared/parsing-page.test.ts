import { expect } from 'chai';
import { parseHtml, select } from '#shared/parsing/html-document.ts';
import { parsePage, parseText } from '#shared/parsing/parse-page.ts';
import type { ParsedPage } from '#shared/parsing/parsing-tasks.ts';

const page = (html: string | Uint8Array, contentType = 'text/html'): Promise<ParsedPage> =>
  parsePage({ body: Buffer.from(html), contentType, url: 'http://127.0.0.1/docs/getting-started.html' }, 200);
const textOf = ({ chunks }: ParsedPage): string => chunks.map(({ text }) => text).join('\n\n');
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    ({ code }: { code: unknown }) => code,
  );

const longText = 'Parcels leave our warehouse on the day of the order and arrive within three working days. '.repeat(3);

describe('Main text of a page', () => {
  it('the main text of a page is the content of its main element', async () => {
    const parsed = await page(`<html lang="en"><title>Shipping | Shop</title><body>
      <header><a href="/">Shop</a></header><nav><a href="/a">Orders</a></nav>
      <main><h1>Shipping<a class="headerlink" href="#shipping">¶</a></h1><p>${longText}</p><aside>Express costs ten euros.</aside></main>
      <aside>Our newsletter</aside><footer>© Shop</footer>`);
    expect(parsed.title).to.equal('Shipping');
    expect(textOf(parsed)).to.equal(`${longText.trim()}\n\nExpress costs ten euros.`);
  });

  it('a short main element is the main text, and an empty main element is ignored', async () => {
    const footer = `<footer>${longText}</footer>`;
    const short = await page(
      `<main><ul><li><a href="/y">year (datetime attribute), yield (keyword)</a></ul></main>${footer}`,
    );
    expect(textOf(short)).to.equal('- year (datetime attribute), yield (keyword)');
    expect(textOf(await page(`<main></main><div><p>${longText}</div>${footer}`))).to.equal(longText.trim());
  });

  it('the main text of a page without landmarks is its largest part', async () => {
    const parsed =
      await page(`<title>Shipping</title><div class="navbar"><a href="/">Home</a> <a href="/a">Orders</a></div>
      <div class="wrap"><ul class="left-menu"><li><a href="/x">Invoices</a></ul><div class="text"><p>${longText}<p>Pick-up is free.</div></div>
      <div id="footer">All rights reserved</div>`);
    expect(textOf(parsed)).to.equal(`${longText.trim()}\n\nPick-up is free.`);
  });

  it('a large part of a page is kept even if its id or class name suggests navigation', async () => {
    const parsed = await page(
      `<body class="has-sidebar"><div id="menu"><h2>Soups</h2><p>${longText}</div><p>Open daily.`,
    );
    expect(textOf(parsed)).to.contain(longText.trim()).and.contain('Open daily.');
    expect(parsed.chunks[0]?.headings).to.deep.equal(['getting started', 'Soups']);
  });

  it('the id of a section is not taken as a hint about the main text', async () => {
    const sections = ['feedback', 'login', 'share', 'prices']
      .map((id) => `<section id="${id}"><h2 id="footer">${id}</h2><p>${longText}</section>`)
      .join('');
    const inMain = await page(`<main><h1>Help</h1>${sections}</main>`);
    const inBody = await page(`<body><h1>Help</h1>${sections}`);
    for (const { chunks } of [inMain, inBody])
      expect(chunks.map(({ headings }) => headings[1])).to.deep.equal(['feedback', 'login', 'share', 'prices']);
  });

  it('the main text excludes scripts, hidden elements, form controls and tables of contents', async () => {
    const parsed = await page(`<main><h1>Returns</h1><ul><li><a href="#a">How</a><li><a href="#b">When</a></ul>
      <script>track()</script><p hidden>draft</p><p style="display: none">old</p><form><label>Size</label><select><option>XL</select></form><p>${longText}</main>`);
    expect(textOf(parsed)).to.equal(`Size\n\n${longText.trim()}`);
  });

  it('when the markup of a page gives no hint about its main text, the main text is found by scoring the paragraphs', async () => {
    const links = '<li><a href="/l">A rather long link to another story of the same house</a></li>'.repeat(60);
    const parsed = await page(
      `<title>News</title><body><div>${links}</div><div><div><p>${longText}</p><p>${longText}</p></div></div><div>${links}</div>`,
    );
    expect(textOf(parsed)).to.contain(longText.trim());
    expect(textOf(parsed)).not.to.contain('another story');
  });

  it('broken and malicious markup is parsed without an error', async () => {
    const parsed = await page(
      `<main><h1>Mess</h1><p>one<b>two<p>three</main></i><constructor>four</constructor><__proto__>five`,
    );
    expect(textOf(parsed)).to.contain('onetwo').and.contain('three');
    expect(textOf(await page(`${'<div>'.repeat(50_000)}<p>Deep down.`))).to.equal('Deep down.');
  });
});

describe('HTML document of a page', () => {
  it('elements nested more than 200 levels deep become siblings, and their text keeps its order', () => {
    const { body, $ } = parseHtml(`${'<div>'.repeat(300)}<p>one<b>two</b>three<p>four${'<ul><li>'.repeat(300)}five`);
    const depths = select($, body, 'div, p, b, ul, li').map((element) => $(element).parents().length);
    expect(depths).to.have.length(300 + 3 + 600);
    expect(Math.max(...depths)).to.be.at.most(200);
    expect($(body).text()).to.equal('onetwothreefourfive');
  });

  it('removing elements keeps the order of the remaining siblings', () => {
    const { $, body } = parseHtml('<p id=a>a</p><script>x</script><p id=b>b</p><i hidden>y</i><p id=c>c</p>');
    expect($('#a').next().attr('id')).to.equal('b');
    expect($('#c').prevAll().length).to.equal(2);
    expect($(body).text()).to.equal('abc');
  });
});

describe('Markdown of a page', () => {
  it('each chunk of a page has the headings above it', async () => {
    const parsed = await page(
      `<main><h1>Guide</h1><p>${longText}<h2>Install</h2><p>${longText}<h3>Linux</h3><p>${longText}<h2>Use</h2><p>${longText}</main>`,
    );
    expect(parsed.chunks.map(({ headings }) => headings)).to.deep.equal([
      ['Guide'],
      ['Guide', 'Install'],
      ['Guide', 'Install', 'Linux'],
      ['Guide', 'Use'],
    ]);
  });

  it('code blocks are kept unchanged in fences', async () => {
    const parsed = await page(
      '<main><p>Run:<pre class="language-sh">\n  for f in *; do\n    echo "$f"\n  done\n</pre></main>',
    );
    expect(textOf(parsed)).to.equal('Run:\n\n```sh\nfor f in *; do\n  echo "$f"\ndone\n```');
  });

  it('unclosed list items and paragraphs, and cells with several paragraphs, are read completely', async () => {
    const parsed = await page(
      '<main><ul><li><p>One<li><p>Two<ul><li><p>deep</ul></ul><p>Then<table><tr><td><p>a</p><p>b</p><td>c<tr><td>d<td>e</table></main>',
    );
    expect(textOf(parsed)).to.equal('- One\n- Two\n  - deep\n\nThen\n\n| a b | c |\n| d | e |');
  });

  it('code lines in separate elements are kept without their line numbers', async () => {
    const parsed = await page(
      `<main><p>${longText}<pre><div><span class="lineno">1</span>let a</div><div><span class="lineno">2</span>let b</div></pre></main>`,
    );
    expect(textOf(parsed)).to.contain('```\nlet a\nlet b\n```');
  });

  it('nested lists stay nested', async () => {
    const parsed = await page('<main><ol start=3><li>Open the box<ul><li>gently</ul><li>Read</ol></main>');
    expect(textOf(parsed)).to.equal('3. Open the box\n   - gently\n4. Read');
  });

  it('tables are kept as rows, and each part of a split table repeats the head', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `<tr><td>Country ${index}<td>${index} days`).join('');
    const parsed = await page(`<main><table><tr><th>Country<th>Time${rows}</table></main>`);
    expect(parsed.chunks.length).to.be.greaterThan(2);
    for (const { text } of parsed.chunks) expect(text).to.match(/^\| Country \| Time \|\n\|-\|-\|\n\| Country \d+ \|/);
    expect(textOf(parsed)).to.contain('| Country 59 | 59 days |');
  });

  it('layout tables are read as plain text', async () => {
    const parsed = await page(
      `<main><table><tr><td><h2>Left</h2><p>${longText}</td><td><p>Right</td></tr></table></main>`,
    );
    expect(parsed.chunks.map(({ text }) => text)).to.deep.equal([`${longText.trim()}\n\nRight`]);
  });

  it('a term stays with its definition, and a long definition has the term as its heading', async () => {
    const parsed = await page(
      `<main><h1>API</h1><dl><dt>open(file)<dd><p>Opens a file and gives it back, ready to be read from its beginning, or to be written at its end.</p><dt>close()<dt>end()<dd>Closes it.<dt>read(size)<dd>${`<p>${longText}`.repeat(6)}</dl></main>`,
    );
    expect(parsed.chunks[0]?.text).to.equal(
      'open(file)\n: Opens a file and gives it back, ready to be read from its beginning, or to be written at its end.\n\nclose()\nend()\n: Closes it.',
    );
    const reading = parsed.chunks.slice(1);
    expect(reading[0]?.text).to.match(/^read\(size\)\n\nParcels/);
    for (const { headings } of reading) expect(headings).to.deep.equal(['API', 'read(size)']);
  });
});

describe('Texts other than HTML', () => {
  it('Markdown is read with its headings, lists, tables, code and definitions', () => {
    const { title, chunks } = parseText(
      {
        text: '# Hours\n\nWe open\nat nine.\n\nSunday\n------\n- closed\n  - always\n\n```js\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nTerm\n: meaning',
        title: '',
      },
      200,
    );
    expect(title).to.equal('Hours');
    expect(chunks.map(({ text }) => text).join('\n\n'))
      .to.contain('We open\nat nine.')
      .and.contain('- closed\n  - always')
      .and.contain('```js\n# no heading\n```')
      .and.contain('| 1 | 2 |')
      .and.contain('Term\n: meaning');
  });

  it('all Markdown that readers see is kept, including text in lists and quotes', () => {
    const { chunks } = parseText(
      {
        text: '> Quoted\n> words\n\n1. One\n\n   | a | b |\n   |---|---|\n   | 1 | 2 | 3 |\n7. Seven\n\n~~~\n[x]: y\n~~~\n\n    indented\n\nTwo\nlines\n-----\n\n[note]: kept',
        title: 'T',
      },
      200,
    );
    expect(chunks.map(({ text }) => text).join('\n\n')).to.equal(
      'Quoted\nwords\n\n1. One\n\n   | a | b |\n   |---|---|\n   | 1 | 2 | 3 |\n7. Seven\n\n```\n[x]: y\n```\n\nindented\n\nTwo\nlines\n\n[note]: kept',
    );
  });

  it('Markdown that is too deeply nested is read as plain paragraphs', () => {
    const { chunks } = parseText({ text: `${'> '.repeat(60)}Deep down.\n\n- On top.`, title: 'T' }, 200);
    expect(chunks.map(({ text }) => text).join('\n')).to.match(/Deep down\.[^]*- On top\./);
  });

  it('plain text is read, and an empty text has no chunks', async () => {
    expect(textOf(await page('Just\ntwo lines', 'text/plain'))).to.equal('Just\ntwo lines');
    expect(parseText({ text: ' \n', title: 'Empty' }, 200).chunks).to.deep.equal([]);
  });

  it('a page is read as UTF-8 if it is valid UTF-8, and otherwise in the charset of its byte order mark or declaration', async () => {
    const utf8 = Buffer.from('<main>Größe</main>');
    const latin = Buffer.from('<main>Größe</main>', 'latin1');
    const utf16 = Buffer.from('\ufeff<main>Größe</main>', 'utf16le');
    const bodies: [Uint8Array, string][] = [
      [utf8, 'text/html; charset=iso-8859-1'],
      [utf8, 'text/html; charset=nonsense'],
      [latin, 'text/html'],
      [latin, 'text/html; charset=windows-1252'],
      [Buffer.concat([Buffer.from('<meta charset=iso-8859-1>'), latin]), 'text/html'],
      [utf16, 'text/html'],
    ];
    for (const [body, type] of bodies) expect(textOf(await page(body, type)), type).to.equal('Größe');
    expect(textOf(await page(latin, 'text/html; charset=utf-8'))).to.contain('Gr');
  });

  it('binary data is refused with NOT_TEXT, and a page without text with NO_TEXT', async () => {
    expect(await codeOf(page(Buffer.from('89504e470d0a1a0a0000', 'hex')))).to.equal('NOT_TEXT');
    expect(await codeOf(page('%PDF-1.7 text', 'text/html'))).to.equal('NOT_TEXT');
    expect(await codeOf(page('<p>a\0b', 'text/html'))).to.equal('NOT_TEXT');
    expect(await codeOf(page('x', 'image/png'))).to.equal('NOT_TEXT');
    expect(await codeOf(page('<div id="app"></div><script>render()</script>'))).to.equal('NO_TEXT');
  });
});
