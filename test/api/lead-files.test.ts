/** Leads out to CSV and in from it: the same leads, no formula, and a broken row keeps nobody else out. */
import { expect } from 'chai';
import { step } from '#shared/domain/leads/import-steps.ts';
import { Lead } from '#shared/models/lead.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportPart } from '#shared/models/lead-import-part.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { exported, send, someLeads, take, told } from '../support/lead-files.ts';
import { aProject } from '../support/people.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const FORMULA = /^[=+\-@\t\r]/;
const LONG = 60_000;

describe('Leads as a file', function () {
  this.timeout(20_000);
  let from: World;
  let into: World;

  const make = (leads: object[]) =>
    Lead.create(leads.map((lead) => ({ id_project: from.project.id, createdBy: 'test', ...lead })));
  const taken = (text: string, query = '') => take(into, text, query);
  const names = async () => (await told(into.project.id)).map(({ fullname }) => fullname);

  beforeEach(async () => {
    [from, into] = await Promise.all([aProject(), aProject()]);
  });

  it('go out and come in as they were, 2,000 of every shape; a second time nothing changes', async () => {
    await make(someLeads(2000));
    const file = await exported(from.agent, from.project.id, '?attributes=true');
    expect(await taken(file)).to.include({ status: 'done', rows: 2000, created: 2000, failed: 0 });
    expect(await told(into.project.id)).to.deep.equal(await told(from.project.id));
    expect(await taken(file)).to.include({ created: 0, updated: 0, unchanged: 2000 });
  });

  it('have all fields but the attributes, and no cell that a spreadsheet would run', async () => {
    await make([{ lead_id: 'a', fullname: '=HYPERLINK("x")', phone: '+390612345', attributes: { secret: 1 } }]);
    const [header = '', row = ''] = (await exported(from.agent, from.project.id)).split('\n');
    expect(header).to.equal(
      '_id;id_project;lead_id;fullname;email;phone;company;note;streetAddress;city;region;zipcode;country;tags;properties;status;merged_into;createdBy;createdAt;updatedAt',
    );
    expect(row).to.include(`a;"'=HYPERLINK(""x"")";;'+390612345;`).and.not.include('secret');
    expect(row.split(';').filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
  });

  it('are those that the query asks for, deleted ones never', async () => {
    await make([
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
      const rows = (await exported(from.agent, from.project.id, query)).trim().split('\n').slice(1);
      expect(rows.map((row) => row.split(';')[3])).to.deep.equal(expected);
    }
  });

  it('leave out broken rows with their lines and the reason, and nothing else', async () => {
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
    const done = await taken(file);
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
    const path = `/v3/${into.project.id}/leads/imports/${done._id}/errors`;
    const report = (await api(into.agent).get(path)).text.trim().split('\n');
    expect(report).to.have.lengthOf(7);
    expect(report.slice(0, 2)).to.deep.equal(['line;column;reason;value', '3;email;No e-mail address;no address']);
  });

  it('are found by their `lead_id`, else by their e-mail; empty cells leave things as they are', async () => {
    await taken('lead_id;fullname;email;city\n1;Ann;ann@x.org;Rome\n;Bob;bob@x.org;\n;Nobody;;');
    const done = await taken('lead_id;fullname;email;city\n1;Anna;;\n;Robert;bob@x.org;Oslo\n;Bob;bob@x.org;');
    expect(done).to.include({ created: 0, updated: 3, failed: 0 });
    const leads = (await told(into.project.id)).map(({ fullname, email, city }) => [fullname, email, city].join());
    expect(leads).to.have.members(['Anna,ann@x.org,Rome', 'Bob,bob@x.org,Oslo', 'Nobody,,']);
  });

  it('are told of like any other: each new one, and what changed of others', async () => {
    await taken('lead_id;fullname\n1;Ann\n2;Bob\n3;Cleo');
    await taken('lead_id;fullname;city\n1;Ann;Rome\n2;Robert;\n3;Cleo;');
    const events = (await changes(into.project.id)).filter(({ event }) => event.startsWith('lead.'));
    const of = (lead_id: string) =>
      events.filter(({ payload }) => (payload as { lead_id?: string }).lead_id === lead_id).map(({ event }) => event);
    expect(of('1')).to.deep.equal(['lead.create', 'lead.update']);
    expect(of('2')).to.deep.equal(['lead.create', 'lead.update', 'lead.fullname.update', 'lead.fullname.email.update']);
    expect(of('3')).to.deep.equal(['lead.create']);
  });

  it('say what their columns mean by name, or by `mapping`', async () => {
    const mapping = encodeURIComponent('{"Kunde": "fullname", "Plan": "properties.plan", "City": null}');
    const done = await taken('Kunde;E-Mail;Plan;City;Shoe size\nAnn;a@x.org;pro;Rome;39', `?mapping=${mapping}`);
    expect(done.columns).to.deep.equal([
      { column: 'Kunde', field: 'fullname' },
      { column: 'E-Mail', field: 'email' },
      { column: 'Plan', field: 'properties.plan' },
      { column: 'City' },
      { column: 'Shoe size' },
    ]);
    const [{ lead_id: _, ...lead } = {}] = (await told(into.project.id)) as { lead_id?: string }[];
    expect(lead).to.deep.equal({
      fullname: 'Ann',
      email: 'a@x.org',
      properties: { plan: 'pro' },
      tags: [],
      status: 100,
    });
  });

  it('are counted and not stored in a dry run', async () => {
    const done = await taken('lead_id;email\n1;a@x.org\n2;wrong', '?dry_run=true');
    expect(done).to.include({ status: 'done', dry_run: true, created: 1, failed: 1 });
    expect(await told(into.project.id)).to.deep.equal([]);
  });

  it('are refused where nothing could come of them (422, 413, 415), and kept no longer than needed', async () => {
    const { agent, project } = into;
    const mapping = (text: string) => `?mapping=${encodeURIComponent(text)}`;
    const refused: [string, string?][] = [
      [''],
      ['\n\n'],
      ['shoe size\n39'],
      ['email;e-mail\na@x.org;b@x.org'],
      ['name\nAnn', mapping('no json')],
      ['name\nAnn', mapping('{"nmae": "fullname"}')],
      ['name\nAnn', mapping('{"name": "createdBy"}')],
    ];
    for (const [text, query] of refused) expect((await send(into, text, query)).status, text).to.equal(422);
    const path = `/v3/${project.id}/leads/csv`;
    expect((await api(agent).post(path, '{}', { 'content-type': 'application/json' })).status).to.equal(415);
    const large = await api(agent).post(path, 'x'.repeat(50_000_001), { 'content-type': 'text/csv' });
    expect(large.status).to.equal(413);
    await taken('name\nAnn');
    expect(await LeadImportPart.countDocuments({ id_project: project.id })).to.equal(0);
  });

  it('come in a form too, with a BOM and tabs as Excel writes them', async () => {
    const form = new FormData();
    form.set('dry_run', 'false');
    form.set('uploadFile', new Blob(['\uFEFFname\tphone\nAnn\t+39 06 6982-1\n'], { type: 'text/csv' }), 'leads.csv');
    const { body } = await api(into.agent).post(`/v3/${into.project.id}/leads/csv`, form);
    expect(body).to.include({ name: 'leads.csv', separator: '\t', status: 'queued' });
    await taken('name\nBob');
    expect((await told(into.project.id)).find(({ fullname }) => fullname === 'Ann')?.phone).to.equal('+390669821');
  });

  it('count each row once though a worker dies between steps, or two work at once', async () => {
    const row = (n: number) => `${n};${'x'.repeat(190)}`;
    const text = ['lead_id;fullname', ...Array.from({ length: 2000 }, (_, n) => row(n))].join('\n');
    const { body } = await send(into, text);
    const which = { id_project: into.project.id, _id: body._id };
    expect(text.length).to.be.greaterThan(5 * LONG);
    while ((await Promise.all([step(which), step(which)])).some(Boolean));
    expect((await LeadImport.findOne(which).lean())?.created).to.equal(2000);
    expect(await Lead.countDocuments({ id_project: into.project.id })).to.equal(2000);
  });

  it('come in once under one Idempotency-Key, which stands for one file (F5)', async () => {
    const { agent, project } = into;
    const headers = { 'content-type': 'text/csv', 'idempotency-key': project.id };
    const post = (text: string) => api(agent).post(`/v3/${project.id}/leads/csv`, text, headers);
    const [first, second] = [await post('name\nAnn'), await post('name\nAnn')];
    expect(second.body).to.deep.equal(first.body);
    expect((await post('name\nBob')).status).to.equal(422);
    expect((await api(agent).get(`/v3/${project.id}/leads/imports`)).body).to.have.lengthOf(1);
  });

  it('are not those of another project (404)', async () => {
    const { body } = await send(into, 'name\nAnn');
    for (const path of ['', '/errors'])
      expect((await api(from.agent).get(`/v3/${from.project.id}/leads/imports/${body._id}${path}`)).status).to.equal(
        404,
      );
  });
});
