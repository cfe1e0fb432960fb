/** Changes to contents, and the export and import of knowledge bases. */
import { expect } from 'chai';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { addContent, aPageBody, aTextBody } from '../support/content-bodies.ts';
import { aTextForm, knowledgeCalls, SENTENCE } from '../support/knowledge-calls.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

describe('Changes to contents and knowledge bases', () => {
  let fixture: ProjectFixture;
  let project: string;
  let calls: ReturnType<typeof knowledgeCalls>;

  before(async () => {
    fixture = await aProject();
    project = fixture.project.id;
    calls = knowledgeCalls(fixture);
  });

  describe('PUT /v3/:project_id/kb/:content_id', () => {
    it('the fields of a content are replaced, and its chunks stay until the new ones are ready', async () => {
      const namespace = await calls.aNamespace();
      const body = aTextBody(namespace, { tags: ['old'] });
      const { _id } = await addContent(fixture.admin, project, body);
      await runJobs();
      const changed = await calls.put(_id, {
        ...body,
        source: 'other source',
        content: 'We open at ten.',
        tags: undefined,
      });
      expect(changed.body).to.include({ _id, source: 'other source', content: 'We open at ten.', status: -1 });
      expect(changed.body).to.not.have.property('tags');
      expect(await calls.chunkTexts(_id)).to.include('nine');
      await runJobs();
      expect(await calls.chunkTexts(_id)).to.equal('We open at ten.');
    });

    it('a content that moves to another namespace leaves no chunks behind', async () => {
      const [from, to] = [await calls.aNamespace(), await calls.aNamespace()];
      const body = aTextBody(from);
      const { _id } = await addContent(fixture.admin, project, body);
      await runJobs();
      const moved = (await calls.put(_id, { ...body, namespace: to })).body;
      expect(moved.namespace).to.equal(to);
      await runJobs();
      expect(await KbChunk.countDocuments({ id_project: project, namespace: from })).to.equal(0);
      expect(await KbChunk.countDocuments({ id_project: project, namespace: to })).to.equal(1);
    });

    it('changing a content requires a namespace (400), an existing content (404), and a source that no other content has (409)', async () => {
      const namespace = await calls.aNamespace();
      const [one, two] = [aTextBody(namespace), aTextBody(namespace)];
      const { _id } = await addContent(fixture.admin, project, one);
      await addContent(fixture.admin, project, two);
      const missing = await calls.put(_id, { ...one, namespace: undefined });
      expect([missing.status, missing.body.error]).to.deep.equal([400, "Missing 'namespace' body parameter"]);
      const unknown = await calls.put('0'.repeat(24), one);
      expect([unknown.status, unknown.body.error]).to.deep.equal([
        404,
        'Content not found. Unable to update a non-existing content',
      ]);
      expect((await calls.put(_id, { ...one, source: two.source })).status).to.equal(409);
      const { status, body } = await calls.put(_id, {
        ...one,
        type: 'sitemap',
        source: 'http://a.example/',
        content: '',
      });
      expect([status, body.error]).to.satisfy(
        ([code, text]: [number, string]) => code === 422 && text.includes('sitemap'),
      );
    });
  });

  describe('Export and import of a knowledge base', () => {
    it('an import of an exported knowledge base replaces texts, FAQs and pages, and keeps contents of other types', async () => {
      const [from, to] = [await calls.aNamespace(), await calls.aNamespace()];
      await addContent(fixture.admin, project, aTextBody(from, { source: 'kept', tags: ['t'] }));
      await addContent(
        fixture.admin,
        project,
        aPageBody(from, { refresh_rate: 'weekly', source: 'http://127.0.0.1:9/p' }),
      );
      await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: SENTENCE, namespace: from },
      });
      const replaced = await addContent(fixture.admin, project, aTextBody(to, { source: 'replaced' }));
      const kept = await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: SENTENCE, namespace: to },
      });
      const exported = await api(fixture.admin).get(`${calls.root}/namespace/export/${from}`);
      expect(exported.headers['content-disposition']).to.equal('attachment; filename="own.json"');
      const file = JSON.parse(exported.text);
      expect(file).to.have.all.keys('name', 'preview_settings', 'contents');
      expect(file.contents.map(({ type }: { type: string }) => type)).to.have.members(['text', 'url']);
      const imported = await calls.post(`/namespace/import/${to}`, file);
      expect(imported.body).to.deep.equal({ success: true, message: 'Contents imported successfully' });
      const contents = await KbContent.find({ id_project: project, namespace: to }).lean();
      expect(contents.map(({ source }) => source)).to.have.members(['kept', 'http://127.0.0.1:9/p', 'notes']);
      expect(contents.find(({ source }) => source === 'kept')).to.deep.include({ tags: ['t'], status: -1 });
      expect((await api(fixture.admin).get(`${calls.root}/${replaced._id}`)).status).to.equal(404);
      expect((await calls.read(kept._id))._id).to.equal(kept._id);
    });

    it('an import accepts a form with the file, rejects a file without a list of contents (400), and names an invalid field (422)', async () => {
      const to = await calls.aNamespace();
      const form = aTextForm(JSON.stringify({ contents: [{ type: 'faq', name: 'a', source: 'a', content: 'a\nb' }] }));
      expect((await calls.post(`/namespace/import/${to}`, form)).body.success).to.equal(true);
      const without = await calls.post(`/namespace/import/${to}`, { name: 'x' });
      expect([without.status, without.body.error]).to.deep.equal([
        400,
        'Imported json must contain the contents array',
      ]);
      const typed = await calls.post(`/namespace/import/${to}`, { contents: {} });
      expect([typed.status, typed.body.error]).to.deep.equal([400, 'The content field must be of type Array[]']);
      const wrong = await calls.post(`/namespace/import/${to}`, {
        contents: [{ type: 'url', name: 'a', source: 'a' }],
      });
      expect([wrong.status, wrong.body.errors[0].path]).to.deep.equal([422, '0.source']);
      expect(await KbContent.countDocuments({ id_project: project, namespace: to })).to.equal(1);
    });
  });
});
