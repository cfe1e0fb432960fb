/**
 * Malicious lead files: with too many columns, with columns named like properties of every JavaScript object, with
 * rows that are too long, with quotes that are never closed, or with data that cause an exception when rows are stored.
 */
import { expect } from 'chai';
import { recordFailure } from '#shared/domain/leads/import/import-steps.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportPart } from '#shared/models/lead-import-part.ts';
import { processorOf } from '../../workers/processors.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { importFile, readLeads, startImport } from '../support/lead-files.ts';
import { aProject } from '../support/people.ts';

/** Returns a lead file with `count` columns, the first of which is the name. */
const wideCsv = (count: number): string => {
  const names = times(count - 1, (index) => `properties.p${index}`);
  return [['fullname', ...names].join(), ['Ann', ...names.map(() => 'x')].join()].join('\n');
};

/** A text that an import ignores; 60 of them exceed the maximum size of a row (1 MiB). */
const FILLER = 'x'.repeat(20_000);
const IGNORED_COLUMN = 'Shoe size';

describe('Hostile lead files', () => {
  it('a lead file with more than 200 columns is refused with 422, and nothing is stored', async () => {
    const fixture = await aProject();
    for (const count of [201, 1000, 15_000]) {
      const { status, body } = await startImport(fixture, wideCsv(count));
      expect(status).to.equal(422);
      if (count < 1500) expect(body.message ?? body.msg).to.include(`${count} columns, but at most 200`);
    }
    expect(await LeadImport.countDocuments({ id_project: fixture.project.id })).to.equal(0);
    expect(await LeadImportPart.countDocuments({ id_project: fixture.project.id })).to.equal(0);
    expect(await importFile(fixture, wideCsv(200))).to.include({ status: 'done', created: 1, failed: 0 });
  });

  it('a lead file whose header is longer than 32 KB is refused with 422', async () => {
    const fixture = await aProject();
    const { status } = await startImport(fixture, `fullname,${'x'.repeat(40_000)}\nAnn,y`);
    expect(status).to.equal(422);
  });

  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    it(`a lead import returns 422 for a column that is mapped to ${name}`, async () => {
      const fixture = await aProject();
      const query = `?mapping=${encodeURIComponent(JSON.stringify({ a: name }))}`;
      expect((await startImport(fixture, 'a,fullname\nx,Ann', query)).status).to.equal(422);
    });

    it(`a lead import ignores a column named ${name}, and returns 422 if it is the only one`, async () => {
      const fixture = await aProject();
      expect(await importFile(fixture, `${name},fullname\nx,Ann`)).to.include({
        status: 'done',
        created: 1,
        failed: 0,
      });
      expect((await startImport(fixture, `${name}\nx`)).status).to.equal(422);
    });
  }

  it('a lead file with a quoted row of several lines and more than 1 MiB makes the import fail after the rows before it, and no line of that row is imported', async () => {
    const fixture = await aProject();
    const lines = times(120, (index) => `line ${index},${FILLER}`);
    const file = [`fullname,${IGNORED_COLUMN}`, 'Ann,39', `"${lines.join('\n')}",40`, 'Bob,41'].join('\n');
    const failedImport = await importFile(fixture, file);
    expect(failedImport).to.include({ status: 'failed', rows: 1, created: 1, failed: 0 });
    expect(failedImport.error).to.include({ code: 'FILE_NOT_TEXT' });
    expect((await readLeads(fixture.project.id)).map(({ fullname }) => fullname)).to.deep.equal(['Ann']);
  });

  for (const [kind, lastRow] of [
    ['an unclosed quote that no other quote follows', 'Zoe,42'],
    ['an unclosed quote that another quote follows after more than 1 MiB', '"Zoe",42'],
  ])
    it(`a lead file with ${kind} loses only the line with the unclosed quote`, async () => {
      const fixture = await aProject();
      const rows = times(60, (index) => `Name ${index},${FILLER}`);
      const file = [`fullname,${IGNORED_COLUMN}`, '', '"Ann,39', ...rows, lastRow].join('\n');
      const done = await importFile(fixture, file);
      expect(done).to.include({ status: 'done', rows: 62, created: 61, failed: 1 });
      expect(done.errors.map(({ line }: { line: number }) => line)).to.deep.equal([3]);
    });

  // An import reads 64 KB of the file at a time, and more only if a row does not fit.
  it('a lead file with a row of more than 64 KB imports the quoted rows of several lines after it unchanged', async () => {
    const fixture = await aProject();
    const names = times(80, (index) => `Name\n${index}`);
    const file = [
      `fullname,${IGNORED_COLUMN}`,
      `Ann,${FILLER.repeat(4)}`,
      ...names.map((name) => `"${name}",${FILLER}`),
    ].join('\n');
    expect(await importFile(fixture, file)).to.include({ status: 'done', rows: 81, created: 81, failed: 0 });
    const stored = (await readLeads(fixture.project.id)).map(({ fullname }) => fullname);
    expect(stored).to.have.members(['Ann', ...names]);
  });

  it('a lead import that throws five times in a row while it stores leads is marked as failed with a reason, and the stored parts of its file are deleted', async () => {
    const fixture = await aProject();
    const { id } = fixture.project;
    const { body } = await startImport(fixture, 'fullname\nAnn');
    await LeadImport.updateOne({ id_project: id, _id: body._id }, { $set: { 'columns.0.field': 'status.x' } });
    await LeadImport.updateOne({ id_project: id, _id: body._id }, { $set: { status: 'running' } });
    const runStep = await processorOf('bulk.import-leads');
    const outcomes = [];
    for (const _ of times(5, Number))
      outcomes.push(
        await runStep({ id_project: id, import: body._id }).then(
          () => 'done',
          () => 'threw',
        ),
      );
    expect(outcomes).to.deep.equal(times(5, () => 'threw'));
    const { body: failedImport } = await api(fixture.agent).get(`/v3/${id}/leads/imports/${body._id}`);
    expect(failedImport).to.include({ status: 'failed' });
    expect(failedImport.error).to.include({ code: 'ROWS_NOT_STORED' });
    expect(failedImport.error.message).to.include('the earlier rows were imported');
    expect(await LeadImportPart.countDocuments({ id_project: id, import: body._id })).to.equal(0);
  });

  it('the error of a dry run of a lead import whose steps failed five times in a row states that nothing was stored', async () => {
    const { agent, project } = await aProject();
    const { body } = await startImport({ agent, project }, 'fullname\nAnn', '?dry_run=true');
    for (const _ of times(5, Number)) await recordFailure({ id_project: project.id, _id: body._id });
    const { error } = (await api(agent).get(`/v3/${project.id}/leads/imports/${body._id}`)).body;
    expect(error).to.include({ code: 'ROWS_NOT_STORED' });
    expect(error.message).to.include('nothing was stored').and.not.include('imported');
  });
});
