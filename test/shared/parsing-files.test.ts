/** A9 is an attack described in docs/attacks.md. */
import { expect } from 'chai';
import { parseFile } from '#shared/parsing/parse-file.ts';
import { parsePage } from '#shared/parsing/parse-page.ts';
import type { FileFormat, ParsedPage, ScrapeOptions } from '#shared/parsing/parsing-tasks.ts';
import { aDocx, aPdf } from '../support/documents.ts';

const CHUNK_TOKENS = 200;

const parse = (format: FileFormat, body: Buffer | string, pattern?: string): Promise<ParsedPage> =>
  parseFile({ body: Buffer.from(body), contentType: '', format, title: 'Handbook', pattern }, CHUNK_TOKENS);
const textOf = ({ chunks }: ParsedPage): string => chunks.map(({ text }) => text).join('\n\n');
const failureOf = (work: Promise<unknown>): Promise<{ code?: string; message?: string }> =>
  work.then(
    () => ({}),
    (error: { code?: string; message?: string }) => error,
  );

const sentence = 'Parcels leave our warehouse on the day of the order and arrive within three working days.';

describe('PDF files', () => {
  it('headings become the heading paths of the chunks, and lines become paragraphs', async () => {
    const pdf = await aPdf([
      [
        { kind: 'heading', text: 'Shipping' },
        { kind: 'text', text: `${sentence} ${sentence}` },
        { kind: 'heading', text: 'Returns' },
        { kind: 'text', text: `${sentence} ${sentence} Send a parcel back within thirty days.` },
        { kind: 'code', text: 'shop return --order 17\nshop status' },
      ],
    ]);
    const page = await parse('pdf', pdf);
    expect(page.title).to.equal('Shipping');
    expect(page.chunks.map(({ headings }) => headings)).to.deep.include.members([
      ['Shipping'],
      ['Shipping', 'Returns'],
    ]);
    expect(textOf(page)).to.include(`${sentence} ${sentence}`);
    expect(textOf(page)).to.include('```\nshop return --order 17\nshop status\n```');
  });

  it('the title of a PDF document is the first heading of its chunks', async () => {
    const pdf = await aPdf([[{ kind: 'text', text: sentence }]], { title: 'Shop Handbook' });
    const page = await parse('pdf', pdf);
    expect([page.title, page.chunks[0]?.headings]).to.deep.equal(['Shop Handbook', ['Shop Handbook']]);
  });

  it('a paragraph continues on the next page, and page footers are left out', async () => {
    const page = (text: string) => [{ kind: 'text' as const, text }];
    const pdf = await aPdf(
      [page('Parcels leave our warehouse on the'), page('day of the order.'), page(sentence), page(sentence)],
      { footer: 'Handbook of the shop, page 1' },
    );
    const text = textOf(await parse('pdf', pdf));
    expect(text).to.include('Parcels leave our warehouse on the day of the order.');
    expect(text).to.not.include('page 1');
  });

  for (const [defect, body, problem] of [
    ['a web page', '<html><body>Not found</body></html>', 'is not a PDF file'],
    ['a damaged file', `%PDF-1.7\n${'x'.repeat(100)}`, 'cannot be read'],
    ['an empty file', '', 'is not a PDF file'],
  ] as const) {
    it(`${defect} in place of a PDF fails with UNREADABLE_FILE and the reason`, async () => {
      const { code, message } = await failureOf(parse('pdf', body));
      expect(code).to.equal('UNREADABLE_FILE');
      expect(message).to.include(problem);
    });
  }

  it('a PDF without text fails with NO_TEXT', async () => {
    expect((await failureOf(parse('pdf', await aPdf([[]])))).code).to.equal('NO_TEXT');
  });
});

describe('Word documents', () => {
  it('headings, paragraphs and tables are read', async () => {
    const docx = aDocx({
      heading: 'Shipping',
      paragraphs: [sentence],
      rows: [
        ['Zone', 'Days'],
        ['Europe', '3'],
      ],
    });
    const page = await parse('docx', docx);
    expect(page.title).to.equal('Shipping');
    expect(textOf(page))
      .to.include(sentence)
      .and.to.match(/Europe \| 3/);
  });

  it('a PDF with the type docx is refused, and the error names the right type', async () => {
    const { message } = await failureOf(parse('docx', await aPdf([[{ kind: 'text', text: sentence }]])));
    expect(message).to.include('use the type pdf');
  });

  it('A9: a broken archive, and a document that unpacks to too many bytes, fail with UNREADABLE_FILE', async () => {
    const bomb = aDocx({ heading: 'A', paragraphs: [] }, [
      { name: 'word/media/a.bin', content: Buffer.alloc(1_000_000), repeated: 150, declaredSize: 10 },
    ]);
    for (const body of [bomb, Buffer.from('PK\x03\x04 and nothing else')])
      expect((await failureOf(parse('docx', body))).code).to.equal('UNREADABLE_FILE');
  });
});

describe('Text files', () => {
  it('each row of a CSV file becomes a text with the names of its columns', async () => {
    const text = textOf(await parse('csv', '\uFEFFProduct;Price\nMug;"4,50 €"\n\nPlate;6 €\n'));
    expect(text).to.equal('Product: Mug\nPrice: 4,50 €\n\nProduct: Plate\nPrice: 6 €');
  });

  it('a CSV file with an unclosed quote fails with BAD_CSV', async () => {
    expect((await failureOf(parse('csv', 'a,b\n"open,c\n'))).code).to.equal('BAD_CSV');
  });

  it('the title of Markdown is its first heading, and that of plain text is the name of the content', async () => {
    expect((await parse('md', `# Shipping\n\n${sentence}`)).title).to.equal('Shipping');
    expect((await parse('txt', sentence)).title).to.equal('Handbook');
    expect(textOf(await parse('html', `<main><h1>Shipping</h1><p>${sentence}</p></main>`))).to.equal(sentence);
  });

  it('a pattern with two groups divides a text into parts with headings', async () => {
    const page = await parse(
      'regex_custom',
      'Art. 1: One way.\nArt. 2: Two\nways.',
      '(Art\\. \\d+): (.*?)(?=Art\\.|$)',
    );
    expect(page.chunks.map(({ text, headings }) => [headings.at(-1), text])).to.deep.equal([
      ['Art. 1', 'One way.'],
      ['Art. 2', 'Two\nways.'],
    ]);
  });

  it('a pattern that matches nothing leaves the text undivided, and an invalid pattern fails with BAD_PATTERN', async () => {
    expect(textOf(await parse('regex_custom', sentence, 'Art\\.(.*)'))).to.equal(sentence);
    expect((await failureOf(parse('regex_custom', sentence, '(open'))).code).to.equal('BAD_PATTERN');
  });
});

describe('Scrape options', () => {
  const html = `<html><title>Shop</title><body><nav>Menu of the shop</nav><div class="intro">Welcome to the shop.</div>
    <section id="faq"><h2>Returns</h2><p class="ad">Buy now.</p><p>Thirty days.</p></section><footer>Imprint</footer></body></html>`;
  const select = (options: ScrapeOptions, wholePage = false) =>
    parsePage(
      { body: Buffer.from(html), contentType: 'text/html', url: 'http://a.example/', options, wholePage },
      CHUNK_TOKENS,
    );

  it('wanted and unwanted tags and classes select the text of a page, in reading order', async () => {
    expect(textOf(await select({ tags_to_extract: ['section'], unwanted_classnames: ['ad'] }))).to.equal(
      'Thirty days.',
    );
    expect(textOf(await select({ tags_to_extract: ['#faq p'], desired_classnames: ['intro'] }))).to.equal(
      'Welcome to the shop.\n\nBuy now.\n\nThirty days.',
    );
    expect(textOf(await select({ unwanted_tags: ['nav', 'section', 'footer'] }))).to.equal('Welcome to the shop.');
  });

  it('with `wholePage`, the text of a page includes its navigation; with the default options, it is the main text', async () => {
    expect(textOf(await select({}, true)))
      .to.include('Menu of the shop')
      .and.to.include('Imprint');
    // These are the default options of a content.
    expect(textOf(await select({ tags_to_extract: ['body'], unwanted_tags: [] }))).to.not.include('Menu of the shop');
  });

  it('options that select nothing fail with NO_SELECTION and a message that names the option, and invalid selectors fail with BAD_SELECTOR', async () => {
    const nothing = await failureOf(select({ tags_to_extract: ['article'] }));
    expect([nothing.code, nothing.message]).to.satisfy(
      ([code, text = '']: string[]) => code === 'NO_SELECTION' && text.includes('tags_to_extract'),
    );
    expect((await failureOf(select({ tags_to_extract: ['p[['] }))).code).to.equal('BAD_SELECTOR');
  });
});
