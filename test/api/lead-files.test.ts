/** Export of leads to CSV and import from it. */
import { expect } from 'chai';
import { importNextChunk } from '#shared/domain/leads/import/import-steps.ts';
import { Lead } from '#shared/models/lead.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportPart } from '#shared/models/lead-import-part.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { exportLeads, importFile, readLeads, someLeads, startImport } from '../support/lead-files.ts';
import { aProject } from '../support/people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const FORMULA = /^[=+\-@\t\r]/;
const LONG_TEXT_LENGTH = 60_000;

describe('Lead import and export as CSV', () => {
  let source: ProjectFixture;
  let target: ProjectFixture;

  const createLeads = (leads: object[]) =>
    Lead.insertMany(leads.map((lead) => ({ id_project: source.project.id, createdBy: 'test', ...lead })));
  const importInto = (text: string, query = '') => importFile(target, text, query);
  const names = async () => (await readLeads(target.project.id)).map(({ fullname }) => fullname);

  beforeEach(async () => {
    [source, target] = await Promise.all([aProject(), aProject()]);
  });

  it('an import of 800 exported leads, with many combinations of fields and difficult texts, restores them, and a second import changes nothing', async () => {
    await createLeads(someLeads(800));
    const file = await exportLeads(source.agent, source.project.id, '?attributes=true');
    expect(await importInto(file)).to.include({ status: 'done', rows: 800, created: 800, failed: 0 });
    expect(await readLeads(target.project.id)).to.deep.equal(await readLeads(source.project.id));
    expect(await importInto(file)).to.include({ created: 0, updated: 0, unchanged: 800 });
  });

  it('an export contains all lead fields except attributes, and no cell that a spreadsheet would evaluate as a formula', async () => {
    await createLeads([{ lead_id: 'a', fullname: '=HYPERLINK("x")', phone: '+390612345', attributes: { secret: 1 } }]);
    const [header = '', row = ''] = (await exportLeads(source.agent, source.project.id)).split('\n');
    expect(header).to.equal(
      '_id;id_project;lead_id;fullname;email;phone;company;note;streetAddress;city;region;zipcode;country;tags;properties;status;merged_into;createdBy;createdAt;updatedAt',
    );
    expect(row).to.include(`a;"'=HYPERLINK(""x"")";;'+390612345;`).and.not.include('secret');
    expect(row.split(';').filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
  });

  it('an export contains the leads that match the query, and no deleted leads', async () => {
    await createLeads([
      { lead_id: 'a', fullname: 'Ann', email: 'a@x.org' },
      { lead_id: 'b', fullname: 'Bob', status: 50, tags: ['vip'] },
      { lead_id: 'c', fullname: 'Cleo', status: 1000 },
    ]);
    const cases: Record<string, string[]> = {
      '?sort=fullname&direction=1': ['Ann', 'Bob'],
      '?email=a@x.org': ['Ann'],
      '?tags=vip': ['Bob'],
      '?page=1': [],
    };
    for (const [query, expected] of Object.entries(cases)) {
      const rows = (await exportLeads(source.agent, source.project.id, query)).trim().split('\n').slice(1);
      expect(rows.map((row) => row.split(';')[3])).to.deep.equal(expected);
    }
  });

  it('an import skips only invalid rows, and reports the line, column and reason of each', async () => {
    const file = [
      'fullname,email,status,tags',
      'Ann,ann@x.org,100,"a, b"',
      'Bob,no address,100,',
      'Cleo,cleo@x.org,7,',
      '"Dan,dan@x.org,100,',
      '"Eve\nAdams",eve@x.org,100,',
      'Fay,fay@x.org',
      '',
      `${'x'.repeat(300)},gus@x.org,100,`,
      'Hal,hal@x.org,100,"[""a"", 7]"',
      ',,,',
      'Ida,ida@x.org,,',
    ].join('\r\n');
    const done = await importInto(file);
    expect(done).to.include({ status: 'done', separator: ',', rows: 9, created: 3, failed: 6 });
    expect(done.errors.map(({ line, column }: { line: number; column?: string }) => [line, column])).to.deep.equal([
      [3, 'email'],
      [4, 'status'],
      [5, undefined],
      [8, undefined],
      [10, 'fullname'],
      [11, 'tags'],
    ]);
    expect(await names()).to.have.members(['Ann', 'Eve\nAdams', 'Ida']);
    const path = `/v3/${target.project.id}/leads/imports/${done._id}/errors`;
    const report = (await api(target.agent).get(path)).text.trim().split('\n');
    expect(report).to.have.lengthOf(7);
    expect(report.slice(0, 2)).to.deep.equal([
      'line;column;reason;value',
      '3;email;must be an email address;no address',
    ]);
  });

  it('an import finds existing leads by `lead_id`, then by email address, and an empty cell leaves its field unchanged', async () => {
    await importInto('lead_id;fullname;email;city\n1;Ann;ann@x.org;Rome\n;Bob;bob@x.org;\n;Nobody;;');
    const done = await importInto('lead_id;fullname;email;city\n1;Anna;;\n;Robert;bob@x.org;Oslo\n;Bob;bob@x.org;');
    expect(done).to.include({ created: 0, updated: 3, failed: 0 });
    const leads = (await readLeads(target.project.id)).map(({ fullname, email, city }) =>
      [fullname, email, city].join(),
    );
    expect(leads).to.have.members(['Anna,ann@x.org,Rome', 'Bob,bob@x.org,Oslo', 'Nobody,,']);
  });

  it('of two leads with the same email address, an import finds the older one for a row without lead_id, even if another row names the newer one by its lead_id', async () => {
    await importInto('lead_id;fullname;email\n1;Ann;ann@x.org\n2;Anna;ann@x.org');
    await importInto('lead_id;email;city\n2;ann@x.org;Rome\n;ann@x.org;Oslo');
    const leads = (await readLeads(target.project.id)).map(({ fullname, city }) => [fullname, city].join());
    expect(leads).to.have.members(['Ann,Oslo', 'Anna,Rome']);
  });

  it('an import emits lead.create for each new lead and update events for each changed lead', async () => {
    await importInto('lead_id;fullname\n1;Ann\n2;Bob\n3;Cleo');
    await importInto('lead_id;fullname;city\n1;Ann;Rome\n2;Robert;\n3;Cleo;');
    const events = (await relayedChanges(target.project.id)).filter(({ event }) => event.startsWith('lead.'));
    const eventsOf = (lead_id: string) =>
      events.filter(({ payload }) => (payload as { lead_id?: string }).lead_id === lead_id).map(({ event }) => event);
    expect(eventsOf('1')).to.deep.equal(['lead.create', 'lead.update']);
    expect(eventsOf('2')).to.deep.equal([
      'lead.create',
      'lead.update',
      'lead.fullname.update',
      'lead.fullname.email.update',
    ]);
    expect(eventsOf('3')).to.deep.equal(['lead.create']);
  });

  it('the columns of an import are mapped to lead fields by their names or by `mapping`', async () => {
    const mapping = encodeURIComponent('{"Kunde": "fullname", "Plan": "properties.plan", "City": null}');
    const done = await importInto('Kunde;E-Mail;Plan;City;Shoe size\nAnn;a@x.org;pro;Rome;39', `?mapping=${mapping}`);
    expect(done.columns).to.deep.equal([
      { column: 'Kunde', field: 'fullname' },
      { column: 'E-Mail', field: 'email' },
      { column: 'Plan', field: 'properties.plan' },
      { column: 'City' },
      { column: 'Shoe size' },
    ]);
    const [{ lead_id: _, ...lead } = {}] = (await readLeads(target.project.id)) as { lead_id?: string }[];
    expect(lead).to.deep.equal({
      fullname: 'Ann',
      email: 'a@x.org',
      properties: { plan: 'pro' },
      tags: [],
      status: 100,
    });
  });

  it('a dry run of an import counts rows and stores no lead', async () => {
    const done = await importInto('lead_id;email\n1;a@x.org\n2;wrong', '?dry_run=true');
    expect(done).to.include({ status: 'done', dry_run: true, created: 1, failed: 1 });
    expect(await readLeads(target.project.id)).to.deep.equal([]);
  });

  it('an import refuses an unusable file or mapping with 422, JSON with 415 and more than 50 MB with 413, and deletes the stored parts of its file when it has finished', async () => {
    const { agent, project } = target;
    const mapping = (text: string) => `?mapping=${encodeURIComponent(text)}`;
    const unusableFiles: [string, string?][] = [
      [''],
      ['\n\n'],
      ['shoe size\n39'],
      ['email;e-mail\na@x.org;b@x.org'],
      ['name\nAnn', mapping('no json')],
      ['name\nAnn', mapping('{"nmae": "fullname"}')],
      ['name\nAnn', mapping('{"name": "createdBy"}')],
    ];
    for (const [text, query] of unusableFiles)
      expect((await startImport(target, text, query)).status, text).to.equal(422);
    const path = `/v3/${project.id}/leads/csv`;
    expect((await api(agent).post(path, '{}', { 'content-type': 'application/json' })).status).to.equal(415);
    const large = await api(agent).post(path, 'x'.repeat(50_000_001), { 'content-type': 'text/csv' });
    expect(large.status).to.equal(413);
    await importInto('name\nAnn');
    expect(await LeadImportPart.countDocuments({ id_project: project.id })).to.equal(0);
  });

  it('an import accepts a multipart form whose file has a byte order mark and tabs, as Excel writes them', async () => {
    const form = new FormData();
    form.set('dry_run', 'false');
    form.set('uploadFile', new Blob(['\uFEFFname\tphone\nAnn\t+39 06 6982-1\n'], { type: 'text/csv' }), 'leads.csv');
    const { body } = await api(target.agent).post(`/v3/${target.project.id}/leads/csv`, form);
    expect(body).to.include({ name: 'leads.csv', separator: '\t', status: 'queued' });
    await importInto('name\nBob');
    expect((await readLeads(target.project.id)).find(({ fullname }) => fullname === 'Ann')?.phone).to.equal(
      '+390669821',
    );
  });

  it('an import counts each row once when two workers store its rows at the same time', async () => {
    const row = (n: number) => `${n};${'x'.repeat(190)}`;
    const text = ['lead_id;fullname', ...Array.from({ length: 2000 }, (_, n) => row(n))].join('\n');
    const { body } = await startImport(target, text);
    const query = { id_project: target.project.id, _id: body._id };
    expect(text.length).to.be.greaterThan(5 * LONG_TEXT_LENGTH);
    while ((await Promise.all([importNextChunk(query), importNextChunk(query)])).some(Boolean));
    expect((await LeadImport.findOne(query).lean())?.created).to.equal(2000);
    expect(await Lead.countDocuments({ id_project: target.project.id })).to.equal(2000);
  });

  it('an import that is repeated with its Idempotency-Key runs once, and another file with that key is refused with 422', async () => {
    const { agent, project } = target;
    const headers = { 'content-type': 'text/csv', 'idempotency-key': project.id };
    const post = (text: string) => api(agent).post(`/v3/${project.id}/leads/csv`, text, headers);
    const [first, second] = [await post('name\nAnn'), await post('name\nAnn')];
    expect(second.body).to.deep.equal(first.body);
    expect((await post('name\nBob')).status).to.equal(422);
    expect((await api(agent).get(`/v3/${project.id}/leads/imports`)).body).to.have.lengthOf(1);
  });

  it('a lead import of another project returns 404', async () => {
    const { body } = await startImport(target, 'name\nAnn');
    for (const path of ['', '/errors'])
      expect(
        (await api(source.agent).get(`/v3/${source.project.id}/leads/imports/${body._id}${path}`)).status,
      ).to.equal(404);
  });
});
