import { expect } from 'chai';
import { explainFailure, reasonOf } from '#shared/domain/operations/explain-failure.ts';
import { titleOf } from '#shared/domain/operations/job-titles.ts';

const EXPLAINED: [error: string, explanation: RegExp][] = [
  ['job stalled more than allowable limit', /killed or blocked/],
  ['Unknown job kb.new; add it to shared/jobs.ts', /another version enqueued/],
  ['connect ECONNREFUSED 127.0.0.1:27018', /^MongoDB was unavailable/],
  ['MongoServerSelectionError: no primary', /^MongoDB was unavailable/],
  ['Connection is closed.', /^Redis was unavailable/],
  ['ENOSPC: no space left on device, write', /^The disk is full/],
  ['E11000 duplicate key error collection: a', /^Two processes wrote/],
  ['AI_TIMEOUT: no answer within 60 s', /^The AI provider/],
  ['x is not a function', /^Unexpected error: search the log/],
];

describe('Failed jobs', () => {
  it('the error of a failed job is explained in plain words', () => {
    for (const [error, explanation] of EXPLAINED) expect(explainFailure(error), error).to.match(explanation);
  });

  it('failures that differ only in ids and durations have the same reason', () => {
    const [one, other] = ['6b02082530f3e0dd95f5133f', '01K3ZX7Q8M4V9N2B6C1D5F7G8H'].map((id) =>
      reasonOf(`content ${id} failed after 12345 ms\n    at index.ts:1`),
    );
    expect(one).to.equal('content … failed after … ms').and.equal(other);
    expect(reasonOf('')).to.equal('no reason recorded');
    expect(reasonOf(undefined)).to.equal('no reason recorded');
  });

  it('the name of a job is shown in words', () => {
    expect(titleOf('project-mails.send')).to.equal('Send');
    expect(titleOf('maintenance.close-idle-bots')).to.equal('Close idle bots');
  });
});
