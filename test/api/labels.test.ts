import { expect } from 'chai';
import { wordOf } from '#shared/domain/conversations/labels.ts';
import { shipped } from '#shared/labels/labels.ts';
import { Label } from '#shared/models/label.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';

const LANGUAGES = ['EN', 'IT', 'FR', 'ES', 'DE', 'PT', 'RU', 'TR', 'SR', 'AR', 'UK', 'SV', 'KK', 'UZ', 'AZ'];

const aPolyglot = async () => {
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

describe('Labels that come with the service', () => {
  it('are 92 in each of 15 languages, none empty, and all but English say that a machine made them', async () => {
    const { root } = await aPolyglot();
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

  it('hold their placeholder where it belongs and nowhere else', () => {
    for (const { lang, data } of shipped) {
      const holding = Object.entries(data).filter(([, text]) => String(text).includes('$'));
      expect(
        holding.map(([key]) => key),
        lang,
      ).to.deep.equal(['WAITING_TIME_FOUND']);
      expect(data.WAITING_TIME_FOUND).to.include('$reply_time');
    }
  });

  it('are told one by one, and one that does not come is empty', async () => {
    const { root } = await aPolyglot();
    expect((await api().get(`${root}/default/IT`)).body).to.deep.equal(shipped[1]);
    for (const lang of ['it', 'XX', 'constructor', '__proto__'])
      expect((await api().get(`${root}/default/${lang}`)).body).to.deep.equal({});
  });
});

describe('Labels of a project', () => {
  it('are none at first; the first language is the default, and `default` moves it', async () => {
    const { root, write, defaults } = await aPolyglot();
    expect((await api().get(root)).body).to.deep.equal({});
    expect(await write('IT', { category: 'web' })).to.deep.include({ lang: 'IT', default: true, category: 'web' });
    expect(await write('DE')).to.include({ default: false });
    expect(await defaults()).to.deep.equal(['IT']);
    expect(await write('FR', { default: true })).to.include({ default: true });
    expect(await defaults()).to.deep.equal(['FR']);
    expect((await write('FR', { data: { NO: 'non' } })).data).to.deep.equal({ NO: 'non' });
    expect(await defaults()).to.deep.equal(['FR']);
  });

  it("are nobody's to read once the project is closed (400)", async () => {
    const { project, owner, root, write } = await aPolyglot();
    await write('IT');
    expect((await api(owner).delete(`/v3/projects/${project.id}`)).status).to.equal(200);
    for (const path of [root, `${root}/IT`, root.replace(project.id, 'none')])
      expect((await api().get(path)).status).to.equal(400);
  });

  it('fall back to the default language, then to their English, then to ours', async () => {
    const { root, admin, write } = await aPolyglot();
    const told = async (lang: string) => (await api().get(`${root}/${lang}`)).body;
    expect(await told('XX')).to.deep.equal({ lang: 'EN', data: shipped[0]?.data, default: false });
    await write('IT');
    await write('EN');
    expect((await told('EN')).lang).to.equal('EN');
    expect((await told('it')).lang).to.equal('IT'); // the default: a language is taken as it is written
    await api(admin).post(`${root}/default/clone`, { lang: 'IT' });
    expect((await told('XX')).lang).to.equal('EN'); // no default any more
    expect((await told('XX')).data).to.deep.equal({ YES: 'yes in EN' });
  });

  it('lend single words by the same way, from the first language that has the word', async () => {
    const { project, write } = await aPolyglot();
    await write('IT');
    await write('DE');
    const word = (lang: string, key: string) => wordOf(project.id, lang, key);
    expect(await word('de', 'YES')).to.equal('yes in DE');
    expect(await word('xx', 'YES')).to.equal('yes in IT');
    expect(await word('de', 'NO')).to.equal('No');
    expect(await word('de', 'constructor')).to.equal('');
  });

  it('are cloned from ours, and again when they are cloned again', async () => {
    const { root, admin, write } = await aPolyglot();
    const clone = async (lang: string) => (await api(admin).post(`${root}/default/clone`, { lang })).body.data;
    expect(await clone('IT')).to.have.lengthOf(1);
    await write('IT');
    const [again, unknown] = [(await clone('IT'))[0], (await clone('XX'))[1]];
    expect(again).to.deep.include({ lang: 'IT', data: shipped[1]?.data, default: false });
    expect(unknown).to.deep.include({ lang: 'XX', data: shipped[0]?.data, default: false });
    expect((await api(admin).post(`${root}/default/clone`, {})).status).to.equal(422);
  });

  it('are deleted by language, but for the default one (400), or all at once', async () => {
    const { root, admin, write } = await aPolyglot();
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

  it('written by many at once are all there, with one default', async () => {
    const { root, write, defaults } = await aPolyglot();
    await Promise.all(LANGUAGES.slice(0, 6).map((lang) => write(lang, { default: true })));
    expect((await api().get(root)).body.data).to.have.lengthOf(6);
    expect(await defaults()).to.have.lengthOf(1);
  });

  it('take no key that is none, no language called default, and no more than 30 languages (422)', async () => {
    const { project, root, admin } = await aPolyglot();
    const post = async (body: object) => (await api(admin).post(root, body)).status;
    for (const key of ['$where', 'a.b', '1', ''])
      expect(await post({ lang: 'IT', data: { [key]: 'x' } })).to.equal(422);
    expect(await post({ lang: 'default', data: {} })).to.equal(422);
    expect(await post({ lang: 'IT', data: { YES: 1 } })).to.equal(422);
    const data = Array.from({ length: 30 }, (_, at) => ({ lang: `L${at}`, data: {}, default: at === 0 }));
    await Label.create({ id_project: project.id, data, createdBy: admin.id });
    expect(await post({ lang: 'MORE', data: {} })).to.equal(422);
    expect(await post({ lang: 'L10', data: {} })).to.equal(200);
  });

  it('tell each change, with all texts as they are then', async () => {
    const { project, root, admin, write } = await aPolyglot();
    await write('IT');
    await api(admin).post(`${root}/default/clone`, { lang: 'DE' });
    await api(admin).patch(`${root}/DE/default`);
    await api(admin).delete(`${root}/IT`);
    const { body } = await api().get(root);
    await api(admin).delete(root);
    const told = (await changes(project.id)).filter(({ event }) => event.startsWith('label.'));
    const names = ['label.create', 'label.clone', 'label.update', 'label.delete', 'label.delete'];
    expect(told.map(({ event }) => event)).to.deep.equal(names);
    expect(JSON.parse(JSON.stringify(told.at(-1)?.payload))).to.deep.equal(body);
  });
});
