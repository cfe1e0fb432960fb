import { expect } from 'chai';
import { pdf } from '../../api/transcripts/pdf.ts';
import { inSight } from '../../api/transcripts/right-to-left.ts';
import { shownIn } from '../support/pdf.ts';
import { times } from '../support/stage.ts';

const said = async function* (...texts: string[]) {
  for (const text of texts) yield { createdAt: '2026-11-22 03:05:00', senderFullname: 'Ann', text };
};
const made = async (...texts: string[]): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pdf(said(...texts))));

describe('A transcript as PDF', () => {
  it('has the letters of other alphabets', async () => {
    const texts = ['Привет', 'Ağacı gördüm, ışığı İzmir’de', 'Ελληνικά', 'Größe, naïve, Łódź, Việt Nam'];
    const shown = shownIn(await made(...texts));
    expect(shown).to.deep.equal(texts.flatMap((text) => ['Ann  2026-11-22 03:05:00', text]));
  });

  it('sets from right to left what is read so', async () => {
    const [, ...words] = shownIn(await made('مرحبا بكم 123'));
    expect(words).to.deep.equal(['123', 'مكب', 'ابحرم']);
    const [, ...both] = shownIn(await made('Say שלום עולם now'));
    expect(both).to.deep.equal(['Say', 'םלוע', 'םולש', 'now']);
  });

  it('says so where it was cut', async () => {
    const shown = shownIn(await made(...times(40, () => 'x '.repeat(5000))));
    expect(shown.at(-1)).to.equal('What was said after this is in the text version.');
  });

  it('is one page where nothing was said', async () => {
    expect((await made()).toString('latin1'))
      .to.match(/^%PDF-1/)
      .and.include('/Count 1');
  });
});

describe('Words in sight', () => {
  it('keep together what is read in one direction', () => {
    expect(inSight(['a', 'b'], false)).to.deep.equal(['a', 'b']);
    expect(inSight(['א', 'b', 'c', 'ג'], true)).to.deep.equal(['ג', 'b', 'c', 'א']);
    expect(inSight(['a', 'ב', '12', 'ג', 'd'], false)).to.deep.equal(['a', 'ג', '12', 'ב', 'd']);
  });
});
