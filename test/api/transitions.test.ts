/** Every move of a conversation between its statuses: as the contract has it, as the verbs make it, as it is published. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Move } from '#shared/domain/conversations/transitions.ts';
import { anApiProcess } from '../support/api-process.ts';
import { api } from '../support/api.ts';
import {
  aStage,
  aTrial,
  begun,
  elsewhere,
  openings,
  type Stage,
  type Trial,
  trials,
} from '../support/transition-trials.ts';

const STATUSES = [50, 100, 150, 200, 1000];

const rowsOf = (markdown: string): string[][] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter(([first]) => first !== '---');

const transcribed = rowsOf(readFileSync(new URL('../data/transitions.md', import.meta.url), 'utf8'));
const withoutSource = (rows: string[][]) => rows.map((cells) => cells.slice(0, -1));
const moves = withoutSource(transcribed.filter((cells) => cells.length === 7));
const beginnings = withoutSource(transcribed.filter((cells) => cells.length === 3));
const [, ...moveRows] = moves as [string[], ...[Move, ...string[]][]];

interface Expected {
  cell: string;
  trial: Trial;
}

/** Makes the move, and finds what the cell says. */
const expectMove = async ({ act, read }: Awaited<ReturnType<typeof aTrial>>, { cell, trial }: Expected) => {
  const before = await read();
  expect((await act()).status).to.equal(200);
  const after = await read();
  if (cell === '–' && !trial.touches) expect(after).to.deep.equal(before);
  const becomes = { '–': before.status, 'as given': trial.given }[cell] ?? Number(cell);
  expect(after.status, `from ${before.status}`).to.equal(becomes);
};

describe('The table of moves', () => {
  it('that the verbs look up, as it is published, is the one that was transcribed by hand', async () => {
    const { text } = await api().get('/v3/openapi.json');
    const published = rowsOf(JSON.parse(text).info.description);
    expect(published).to.deep.equal([['move', ...STATUSES.map(String)], ...moveRows, ...beginnings]);
  });
});

describe('A new conversation', () => {
  it('begins as the table says', async () => {
    const [, ...rows] = beginnings as [string[], ...[keyof typeof openings, string][]];
    expect(rows.map(([beginning]) => beginning)).to.have.members(Object.keys(openings));
    const stage = await aStage();
    for (const [beginning, status] of rows)
      expect(await begun(stage, openings[beginning]), beginning).to.equal(Number(status));
  });
});

describe('A conversation of each status', () => {
  let deployed: Awaited<ReturnType<typeof anApiProcess>>;
  let stages: Stage[];

  before(async () => {
    deployed = await anApiProcess({ WIRE_PROFILE: 'deployed-clients' });
    elsewhere.url = deployed.url;
    stages = await Promise.all(STATUSES.map(aStage));
  });
  after(() => deployed.stop());

  for (const [move, ...cells] of moveRows)
    it(`becomes what the table says: ${move}`, async () => {
      const tried = async (trial: Trial, at: number) => {
        const made = await aTrial(stages[at] as Stage, trial, STATUSES[at] as number);
        await expectMove(made, { cell: cells[at] as string, trial });
      };
      for (const trial of trials[move]) await Promise.all(STATUSES.map((_, at) => tried(trial, at)));
    });
});
