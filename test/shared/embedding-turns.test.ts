import { expect } from 'chai';
import { Turns } from '#shared/embedding/turns.ts';

const ONE = { texts: 1, chars: 1_000 };

const ask = (project: string, count: number, priority = false) => ({
  project,
  priority,
  texts: Array.from({ length: count }, (_, index) => `${project}${index}`),
  taken: 0,
});

const order = (turns: Turns<ReturnType<typeof ask>>, limits = ONE) => {
  const names: string[] = [];
  for (let taken = turns.take(limits); taken.length > 0; taken = turns.take(limits))
    names.push(taken.map((turn) => turn.ask.texts[turn.index]).join(' '));
  return names;
};

describe('Turns of the embedder', () => {
  it('gives each project one text in turn, whatever it has waiting', () => {
    const turns = new Turns<ReturnType<typeof ask>>();
    turns.add(ask('a', 3));
    turns.add(ask('a', 1));
    turns.add(ask('b', 1));
    turns.add(ask('c', 2));
    expect(order(turns)).to.deep.equal(['a0', 'b0', 'c0', 'a1', 'c1', 'a2', 'a0']);
  });

  it('lets a neighbour in after one text of a running import', () => {
    const turns = new Turns<ReturnType<typeof ask>>();
    for (let page = 0; page < 10; page += 1) turns.add(ask('big', 20));
    turns.take(ONE);
    turns.add(ask('small', 1));
    expect([...order(turns)].indexOf('small0')).to.be.at.most(1);
  });

  it('takes questions before everything else', () => {
    const turns = new Turns<ReturnType<typeof ask>>();
    turns.add(ask('a', 2));
    turns.add(ask('b', 1));
    turns.add(ask('q', 1, true));
    expect(order(turns)[0]).to.equal('q0');
  });

  it('fills a batch up to its texts and characters, and takes a text too long for it alone', () => {
    const turns = new Turns<ReturnType<typeof ask>>();
    turns.add(ask('a', 3));
    turns.add({ ...ask('b', 1), texts: ['a text of many characters'] });
    expect(order(turns, { texts: 2, chars: 5 })).to.deep.equal(['a0', 'a text of many characters', 'a1 a2']);
  });

  it('forgets what nobody waits for', () => {
    const turns = new Turns<ReturnType<typeof ask>>();
    const left = ask('a', 3);
    turns.add(left);
    turns.add(ask('a', 1));
    turns.take(ONE);
    turns.remove(left);
    expect(order(turns)).to.deep.equal(['a0']);
    turns.remove(left);
    expect(order(turns)).to.deep.equal([]);
  });
});
