/** Labels: texts that client programs, such as the chat widget, show. A project's labels replace the built-in ones. */
import { expect } from 'chai';
import { labelText } from '#shared/domain/conversations/catalogue/labels.ts';
import { builtInLabels } from '#shared/labels/built-in-labels.ts';
import { Label } from '#shared/models/label.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

const LANGUAGES = ['EN', 'IT', 'FR', 'ES', 'DE', 'PT', 'RU', 'TR', 'SR', 'AR', 'UK', 'SV', 'KK', 'UZ', 'AZ'];

const aProjectWithLabels = async () => {
  const people = await aProject();
  const root = `/v3/${people.project.id}/labels`;
  const write = async (lang: string, more: object = {}) =>
    (await api(people.admin).post(root, { lang, data: { YES: `yes in ${lang}` }, ...more })).body;
  const defaults = async (): Promise<string[]> =>
    (await api().get(root)).body.data.flatMap((entry: { lang: string; default: boolean }) =>
      entry.default ? [entry.lang] : [],
    );
  return { ...people, root, write, defaults };
};

describe('Built-in labels', () => {
  it('each of the 15 languages has 92 built-in labels, none is empty, and all but the English ones are marked machine_made', async () => {
    const { root } = await aProjectWithLabels();
    const { body } = await api().get(`${root}/default`);
    expect(body.map(({ lang }: { lang: string }) => lang)).to.deep.equal(LANGUAGES);
    const keys = Object.keys(body[0].data);
    expect(keys).to.have.lengthOf(92);
    for (const { lang, data, machine_made } of body) {
      expect(Object.keys(data), lang).to.deep.equal(keys);
      expect(Object.values(data).flat(), lang).to.not.include('');
      expect(data.ARRAY_DAYS, lang).to.have.lengthOf(7);
      expect(machine_made, lang).to.equal(lang !== 'EN');
    }
  });

  it('the placeholder $reply_time is in WAITING_TIME_FOUND and in no other built-in label', () => {
    for (const { lang, data } of builtInLabels) {
      const withPlaceholder = Object.entries(data).filter(([, text]) => String(text).includes('$'));
      expect(
        withPlaceholder.map(([key]) => key),
        lang,
      ).to.deep.equal(['WAITING_TIME_FOUND']);
      expect(data.WAITING_TIME_FOUND).to.include('$reply_time');
    }
  });

  it('the built-in labels of one language can be read, and those of an unknown language are empty', async () => {
    const { root } = await aProjectWithLabels();
    expect((await api().get(`${root}/default/IT`)).body).to.deep.equal(builtInLabels[1]);
    for (const lang of ['it', 'XX', 'constructor', '__proto__'])
      expect((await api().get(`${root}/default/${lang}`)).body).to.deep.equal({});
  });
});

describe('Project labels', () => {
  it('the first language that a project adds is its default language, and `default: true` makes another language the default', async () => {
    const { root, write, defaults } = await aProjectWithLabels();
    expect((await api().get(root)).body).to.deep.equal({});
    expect(await write('IT', { category: 'web' })).to.deep.include({ lang: 'IT', default: true, category: 'web' });
    expect(await write('DE')).to.include({ default: false });
    expect(await defaults()).to.deep.equal(['IT']);
    expect(await write('FR', { default: true })).to.include({ default: true });
    expect(await defaults()).to.deep.equal(['FR']);
    expect((await write('FR', { data: { NO: 'non' } })).data).to.deep.equal({ NO: 'non' });
    expect(await defaults()).to.deep.equal(['FR']);
  });

  it('reading the labels of a closed or unknown project returns 400', async () => {
    const { project, owner, root, write } = await aProjectWithLabels();
    await write('IT');
    expect((await api(owner).delete(`/v3/projects/${project.id}`)).status).to.equal(200);
    for (const path of [root, `${root}/IT`, root.replace(project.id, 'none')])
      expect((await api().get(path)).status).to.equal(400);
  });

  it("labels of an unknown language fall back to the project's default language, then to the project's English, then to the built-in English", async () => {
    const { root, admin, write } = await aProjectWithLabels();
    const readLabels = async (lang: string) => (await api().get(`${root}/${lang}`)).body;
    expect(await readLabels('XX')).to.deep.equal({ lang: 'EN', data: builtInLabels[0]?.data, default: false });
    await write('IT');
    await write('EN');
    expect((await readLabels('EN')).lang).to.equal('EN');
    expect((await readLabels('it')).lang).to.equal('IT'); // the default; language codes are case-sensitive
    await api(admin).post(`${root}/default/clone`, { lang: 'IT' });
    expect((await readLabels('XX')).lang).to.equal('EN'); // IT is no longer the default after cloning
    expect((await readLabels('XX')).data).to.deep.equal({ YES: 'yes in EN' });
  });

  it('a single label comes from the first language in the fallback order that has it', async () => {
    const { project, write } = await aProjectWithLabels();
    await write('IT');
    await write('DE');
    const labelOf = (lang: string, key: string) => labelText(project.id, lang, key);
    expect(await labelOf('de', 'YES')).to.equal('yes in DE');
    expect(await labelOf('xx', 'YES')).to.equal('yes in IT');
    expect(await labelOf('de', 'NO')).to.equal('No');
    expect(await labelOf('de', 'constructor')).to.equal('');
  });

  it('cloning copies the built-in labels of a language to the project, and replaces its labels of that language', async () => {
    const { root, admin, write } = await aProjectWithLabels();
    const clone = async (lang: string) => (await api(admin).post(`${root}/default/clone`, { lang })).body.data;
    expect(await clone('IT')).to.have.lengthOf(1);
    await write('IT');
    const [again, unknown] = [(await clone('IT'))[0], (await clone('XX'))[1]];
    expect(again).to.deep.include({ lang: 'IT', data: builtInLabels[1]?.data, default: false });
    expect(unknown).to.deep.include({ lang: 'XX', data: builtInLabels[0]?.data, default: false });
    expect((await api(admin).post(`${root}/default/clone`, {})).status).to.equal(422);
  });

  it('project labels are deleted by language, except the default language (400), or all together', async () => {
    const { root, admin, write } = await aProjectWithLabels();
    expect((await api(admin).patch(`${root}/IT/default`)).status).to.equal(404);
    await write('IT');
    await write('DE');
    expect((await api(admin).patch(`${root}/XX/default`)).status).to.equal(404);
    expect((await api(admin).patch(`${root}/DE/default`)).body).to.include({ lang: 'DE', default: true });
    expect((await api(admin).delete(`${root}/DE`)).status).to.equal(400);
    expect((await api(admin).delete(`${root}/IT`)).body.lang).to.equal('DE');
    expect((await api(admin).delete(`${root}/IT`)).status).to.equal(404);
    expect((await api(admin).delete(root)).body.deletedCount).to.equal(1);
    expect((await api(admin).delete(`${root}/`)).body.deletedCount).to.equal(0);
    expect((await api().get(root)).body).to.deep.equal({});
  });

  it('concurrent writes of labels are all stored and leave one default language', async () => {
    const { root, write, defaults } = await aProjectWithLabels();
    await Promise.all(LANGUAGES.slice(0, 6).map((lang) => write(lang, { default: true })));
    expect((await api().get(root)).body.data).to.have.lengthOf(6);
    expect(await defaults()).to.have.lengthOf(1);
  });

  it('an invalid label key, a language named `default`, and more than 30 languages are refused (422)', async () => {
    const { project, root, admin } = await aProjectWithLabels();
    const post = async (body: object) => (await api(admin).post(root, body)).status;
    for (const key of ['$where', 'a.b', '1', ''])
      expect(await post({ lang: 'IT', data: { [key]: 'x' } })).to.equal(422);
    expect(await post({ lang: 'default', data: {} })).to.equal(422);
    expect(await post({ lang: 'IT', data: { YES: 1 } })).to.equal(422);
    const data = Array.from({ length: 30 }, (_, index) => ({ lang: `L${index}`, data: {}, default: index === 0 }));
    await Label.create({ id_project: project.id, data, createdBy: admin.id });
    expect(await post({ lang: 'MORE', data: {} })).to.equal(422);
    expect(await post({ lang: 'L10', data: {} })).to.equal(200);
  });

  it('each change to project labels emits an event, and the last deletion contains the deleted labels', async () => {
    const { project, root, admin, write } = await aProjectWithLabels();
    await write('IT');
    await api(admin).post(`${root}/default/clone`, { lang: 'DE' });
    await api(admin).patch(`${root}/DE/default`);
    await api(admin).delete(`${root}/IT`);
    const { body } = await api().get(root);
    await api(admin).delete(root);
    const events = (await relayedChanges(project.id)).filter(({ event }) => event.startsWith('label.'));
    const names = ['label.create', 'label.clone', 'label.update', 'label.delete', 'label.delete'];
    expect(events.map(({ event }) => event)).to.deep.equal(names);
    expect(JSON.parse(JSON.stringify(events.at(-1)?.payload))).to.deep.equal(body);
  });
});
