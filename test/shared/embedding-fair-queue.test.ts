import { expect } from 'chai';
import { FairQueue } from '#shared/embedding/fair-queue.ts';

const ONE_TEXT = { texts: 1, chars: 1_000 };

const aRequest = (project: string, count: number, priority = false) => ({
  project,
  priority,
  texts: Array.from({ length: count }, (_, index) => `${project}${index}`),
  takenCount: 0,
});

const takeAll = (queue: FairQueue<ReturnType<typeof aRequest>>, limits = ONE_TEXT) => {
  const names: string[] = [];
  for (let taken = queue.take(limits); taken.length > 0; taken = queue.take(limits))
    names.push(taken.map(({ request, index }) => request.texts[index]).join(' '));
  return names;
};

describe('Fair queue of the embedder', () => {
  it('one text of each project is taken in turn, however many texts a project has waiting', () => {
    const queue = new FairQueue<ReturnType<typeof aRequest>>();
    queue.add(aRequest('a', 3));
    queue.add(aRequest('a', 1));
    queue.add(aRequest('b', 1));
    queue.add(aRequest('c', 2));
    expect(takeAll(queue)).to.deep.equal(['a0', 'b0', 'c0', 'a1', 'c1', 'a2', 'a0']);
  });

  it('a text of another project waits for at most one more text of a project with many waiting pages', () => {
    const queue = new FairQueue<ReturnType<typeof aRequest>>();
    for (let page = 0; page < 10; page += 1) queue.add(aRequest('big', 20));
    queue.take(ONE_TEXT);
    queue.add(aRequest('small', 1));
    expect([...takeAll(queue)].indexOf('small0')).to.be.at.most(1);
  });

  it('texts of questions are taken first', () => {
    const queue = new FairQueue<ReturnType<typeof aRequest>>();
    queue.add(aRequest('a', 2));
    queue.add(aRequest('b', 1));
    queue.add(aRequest('q', 1, true));
    expect(takeAll(queue)[0]).to.equal('q0');
  });

  it('a batch does not exceed the limits on texts and characters, and a text that is too long is taken alone', () => {
    const queue = new FairQueue<ReturnType<typeof aRequest>>();
    queue.add(aRequest('a', 3));
    queue.add({ ...aRequest('b', 1), texts: ['a text of many characters'] });
    expect(takeAll(queue, { texts: 2, chars: 5 })).to.deep.equal(['a0', 'a text of many characters', 'a1 a2']);
  });

  it('the texts of an embedding request that was removed are not taken', () => {
    const queue = new FairQueue<ReturnType<typeof aRequest>>();
    const cancelled = aRequest('a', 3);
    queue.add(cancelled);
    queue.add(aRequest('a', 1));
    queue.take(ONE_TEXT);
    queue.remove(cancelled);
    expect(takeAll(queue)).to.deep.equal(['a0']);
    queue.remove(cancelled);
    expect(takeAll(queue)).to.deep.equal([]);
  });
});
