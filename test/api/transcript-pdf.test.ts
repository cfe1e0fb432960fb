import { expect } from 'chai';
import { pdf } from '../../api/transcripts/pdf.ts';
import { visualOrder } from '../../api/transcripts/right-to-left.ts';
import { times } from '../support/fleet-fixture.ts';
import { pdfLines } from '../support/pdf-text.ts';

const messagesOf = async function* (...texts: string[]) {
  for (const text of texts) yield { createdAt: '2026-11-22 03:05:00', senderFullname: 'Ann', text };
};
const renderPdf = async (...texts: string[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(pdf(messagesOf(...texts))));

describe('PDF transcript', () => {
  it('a PDF transcript contains Cyrillic, Greek, Turkish and Vietnamese letters', async () => {
    const texts = ['Привет', 'Ağacı gördüm, ışığı İzmir’de', 'Ελληνικά', 'Größe, naïve, Łódź, Việt Nam'];
    const lines = pdfLines(await renderPdf(...texts));
    expect(lines).to.deep.equal(texts.flatMap((text) => ['Ann  2026-11-22 03:05:00', text]));
  });

  it('a PDF transcript sets Arabic and Hebrew from right to left', async () => {
    const [, ...words] = pdfLines(await renderPdf('مرحبا بكم 123'));
    expect(words).to.deep.equal(['123', 'مكب', 'ابحرم']);
    const [, ...lines] = pdfLines(await renderPdf('Say שלום עולם now'));
    expect(lines).to.deep.equal(['Say', 'םלוע', 'םולש', 'now']);
  });

  it('a truncated PDF transcript ends with a notice that the text version is longer', async () => {
    const lines = pdfLines(await renderPdf(...times(40, () => 'x '.repeat(5000))));
    expect(lines.at(-1)).to.equal('This transcript is truncated; the text version (messages.txt) is longer.');
  });

  it('the PDF transcript of a conversation without messages has one page', async () => {
    expect((await renderPdf()).toString('latin1'))
      .to.match(/^%PDF-1/)
      .and.include('/Count 1');
  });
});

describe('Visual order of bidirectional text', () => {
  it('visualOrder returns the words of a line as displayed, from left to right; adjacent words of one direction are ordered as a unit', () => {
    expect(visualOrder(['a', 'b'], false)).to.deep.equal(['a', 'b']);
    expect(visualOrder(['א', 'b', 'c', 'ג'], true)).to.deep.equal(['ג', 'b', 'c', 'א']);
    expect(visualOrder(['a', 'ב', '12', 'ג', 'd'], false)).to.deep.equal(['a', 'ג', '12', 'ב', 'd']);
  });
});
