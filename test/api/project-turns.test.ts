/** The conversion of replies to JSON, in which projects take turns so that none occupies the event loop. */
import { expect } from 'chai';
import { convertInTurn } from '../../api/http/response/send-json.ts';

const LARGE = 300_000;

/** Converts `count` replies with `characters` characters each, and adds the project to `sent` after each reply. */
const sendReplies = (project: string, { count, characters }: { count: number; characters: number }, sent: string[]) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      await convertInTurn(project, () => 'x'.repeat(characters));
      sent.push(project);
    }),
  );

describe('Turns of projects in the event loop', () => {
  it('a reply waits for at most one large reply of every other project', async () => {
    const sent: string[] = [];
    const countSentBefore = async () => {
      const before = sent.length;
      await sendReplies('c', { count: 1, characters: 100 }, sent);
      return sent.lastIndexOf('c') - before;
    };
    const busy = ['a', 'b'].map((project) => sendReplies(project, { count: 20, characters: LARGE }, sent));
    expect(await countSentBefore(), 'in the turn of their first replies').to.be.at.most(2);
    await new Promise(setImmediate);
    expect(await countSentBefore(), 'in a later turn').to.be.at.most(2);
    await Promise.all(busy);
    expect(sent).to.have.length(42);
  });

  it("a project's large replies are converted one per turn, and small ones share a turn", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      counter = setImmediate(count);
    };
    let counter = setImmediate(count);
    await sendReplies('large', { count: 10, characters: LARGE }, []);
    const turnsOfLarge = turns;
    turns = 0;
    await sendReplies('small', { count: 100, characters: 500 }, []);
    clearImmediate(counter);
    expect(turnsOfLarge).to.be.within(8, 11);
    expect(turns).to.be.at.most(2);
  });
});
