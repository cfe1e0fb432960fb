/** Contents from files and forms. */
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { api } from '../support/api.ts';
import { addContent, aPageBody } from '../support/content-bodies.ts';
import { aDocx, aPdf } from '../support/documents.ts';
import { aSite } from '../support/fake-site.ts';
import { aTextForm, knowledgeCalls, SENTENCE } from '../support/knowledge-calls.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { uploadFile } from '../support/uploads.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

describe('Contents from files and forms', () => {
  let fixture: ProjectFixture;
  let project: string;
  let calls: ReturnType<typeof knowledgeCalls>;
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    [fixture, site] = await Promise.all([aProject(), aSite()]);
    project = fixture.project.id;
    calls = knowledgeCalls(fixture);
  });
  after(() => site.close());

  const upload = async (name: string, type: string, bytes: Buffer | string): Promise<string> => {
    const path = `/v3/${project}/files/assets?expiration=86400`;
    const { status, body } = await uploadFile(fixture.admin, path, { name, type, bytes });
    expect(status).to.equal(201);
    return `https://api.example.com/v3/files?path=${body.filename}`;
  };

  describe('Files', () => {
    it('an uploaded PDF and an uploaded DOCX are indexed from the URLs of their uploads', async () => {
      const pdf = await aPdf([[{ kind: 'text', text: SENTENCE }]]);
      const docx = aDocx({ heading: 'Returns', paragraphs: ['Send it back within thirty days.'] });
      const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
      const bodies = [
        { type: 'pdf', name: 'shipping.pdf', source: await upload('shipping.pdf', 'application/pdf', pdf) },
        { type: 'docx', name: 'returns.docx', source: await upload('returns.docx', docxType, docx) },
      ];
      const [first, second] = await Promise.all(
        bodies.map((body) => addContent(fixture.admin, project, { ...body, namespace: project })),
      );
      expect(first).to.include({ content: '', status: -1, type: 'pdf' });
      await runJobs();
      expect((await calls.read(first._id)).status).to.equal(300);
      expect(await calls.chunkTexts(first._id)).to.include('Parcels leave our warehouse');
      expect(await calls.chunkTexts(second._id)).to.include('Send it back within thirty days.');
    });

    it('a content whose upload has expired fails with FILE_NOT_FOUND, and an upload of another project is not read', async () => {
      const other = await aProject();
      const expired = await upload('a.txt', 'text/plain', SENTENCE);
      await StoredFile.updateMany({ id_project: project, name: 'a.txt' }, { expiresAt: new Date(0) });
      const content = await addContent(fixture.admin, project, {
        ...{ type: 'txt', name: 'a.txt', source: expired, namespace: project },
      });
      expect(content.scrape_type).to.equal(1);
      const foreign = await addContent(other.admin, other.project.id, {
        ...{ type: 'txt', name: 'a.txt', source: expired, namespace: other.project.id },
      });
      await runJobs();
      expect((await calls.read(content._id)).error).to.include({ code: 'FILE_NOT_FOUND' });
      const { error } = (await api(other.admin).get(`/v3/${other.project.id}/kb/${foreign._id}`)).body;
      expect(error.code).to.be.a('string').and.not.equal('FILE_NOT_FOUND');
    });

    it('files on other servers are fetched whatever their media type, and the error for a content of the wrong type names the correct type', async () => {
      const headers = { 'content-type': 'application/octet-stream' };
      site.pages['/faq.csv'] = { headers, body: 'Question,Answer\nOpen?,At nine.\n' };
      site.pages['/a.pdf'] = { headers, body: await aPdf([[{ kind: 'text', text: SENTENCE }]]) };
      const add = (type: string, path: string) =>
        addContent(fixture.admin, project, { type, name: path, source: site.url(path), namespace: project });
      const [csv, docx] = [await add('csv', '/faq.csv'), await add('docx', '/a.pdf')];
      const inline = await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: `# Notes\n\n${SENTENCE}`, namespace: project },
      });
      await runJobs();
      expect(await calls.chunkTexts(csv._id)).to.equal('Question: Open?\nAnswer: At nine.');
      expect((await calls.read(docx._id)).error.message).to.include('use the type pdf');
      expect(await calls.chunkTexts(inline._id)).to.equal(SENTENCE);
    });

    it('scrape options select the text of a page', async () => {
      site.pages['/options'] = `<main><h1>A</h1><p class="ad">Buy now.</p><p>${SENTENCE}</p></main>`;
      const options = { scrape_type: 4, scrape_options: { tags_to_extract: ['main'], unwanted_classnames: ['ad'] } };
      const body = aPageBody(project, { source: site.url('/options'), ...options });
      const content = await addContent(fixture.admin, project, body);
      expect(content).to.deep.include({ ...options, scrape_mode: 'static' });
      await runJobs();
      expect(await calls.chunkTexts(content._id)).to.equal(SENTENCE);
    });
  });

  describe('POST /v3/:project_id/kb/csv', () => {
    const importFaqs = (text: string, fields = {}, namespace = project) =>
      calls.post(`/csv?namespace=${namespace}`, aTextForm(text, fields));

    it('each row becomes a FAQ with the given tags', async () => {
      const namespace = await calls.aNamespace();
      const text = '\uFEFFWhen do you open?;At nine.\n"Do you ship; abroad?";"Yes,\nto Europe."\n';
      const { status, body } = await importFaqs(text, { tags: '["faq"]' }, namespace);
      expect(status).to.equal(200);
      expect(body).to.have.length(2);
      expect(body[1]).to.deep.include({
        ...{ type: 'faq', name: 'Do you ship; abroad?', source: 'Do you ship; abroad?', status: -1, namespace },
        ...{ content: 'Do you ship; abroad?\nYes,\nto Europe.', tags: ['faq'] },
      });
      const again = await importFaqs('When do you open?|At ten.', { delimiter: '|' }, namespace);
      expect(again.body[0]).to.include({ _id: body[0]._id, content: 'When do you open?\nAt ten.' });
    });

    for (const [defect, text, fields, status, problem] of [
      ['an unclosed quote', '"a;b\n', {}, 400, 'Quote'],
      ['a row without an answer', 'a;b\nc\n', {}, 422, 'line 2 has no answer'],
      ['no rows', '\n', {}, 422, 'contains no rows'],
      ['a delimiter of two characters', 'a;b', { delimiter: ';;' }, 422, 'delimiter'],
      ['tags that are not a JSON array', 'a;b', { tags: 'faq' }, 422, 'tags'],
    ] as const) {
      it(`an import with ${defect} is rejected (${status}), and nothing is added`, async () => {
        const namespace = await calls.aNamespace();
        const reply = await importFaqs(text, fields, namespace);
        expect(reply.status, reply.text).to.equal(status);
        expect(reply.body.error).to.include(problem);
        expect(await KbContent.countDocuments({ id_project: project, namespace })).to.equal(0);
      });
    }

    it('an import requires a namespace (400) that exists (404), and a file', async () => {
      expect((await calls.post('/csv', aTextForm('a;b'))).status).to.equal(400);
      expect((await importFaqs('a;b', {}, '0'.repeat(24))).status).to.equal(404);
      expect((await calls.post(`/csv?namespace=${project}`, new FormData())).status).to.be.within(400, 422);
    });
  });

  describe('POST /v3/:project_id/kb/multi with a form', () => {
    it('each line of the file becomes a page with the options of the form', async () => {
      const namespace = await calls.aNamespace();
      const fields = { tags: '["a","b"]', refresh_rate: 'weekly', scrape_type: '0' };
      const form = aTextForm('http://127.0.0.1:9/1\r\n\nhttp://127.0.0.1:9/2\n', fields);
      const { status, body } = await calls.post(`/multi?namespace=${namespace}`, form);
      expect(status).to.equal(200);
      expect(body.map(({ source }: { source: string }) => source)).to.deep.equal([
        'http://127.0.0.1:9/1',
        'http://127.0.0.1:9/2',
      ]);
      expect(body[0]).to.deep.include({ tags: ['a', 'b'], refresh_rate: 'weekly', scrape_type: 0 });
      const wrong = await calls.post(`/multi?namespace=${namespace}`, aTextForm('hours\n'));
      expect([wrong.status, wrong.body.errors[0].path]).to.deep.equal([422, 'list.0']);
    });
  });
});
