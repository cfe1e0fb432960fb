import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Department } from '#shared/models/department.ts';
import { api } from '../support/api.ts';
import { changeProject } from '../support/change-project.ts';
import { aProject, PASSWORD } from '../support/people.ts';

const SECRET = 'not for visitors';

/** The fields of a project that visitors may see. `hiddenFields` contains values that they must not see. */
const VISIBLE_FIELDS = [
  ...[
    '_id',
    'id',
    'name',
    'status',
    'activeOperatingHours',
    'operatingHours',
    'timeSlots',
    'settings',
    'widget',
    'profile',
  ],
  ...['channels', 'versions', 'trialExpired', 'trialDaysLeft', 'isActiveSubscription', 'createdAt', 'updatedAt'],
];
const visibleSettings = {
  allowed_urls: true,
  allowed_urls_list: ['a.example'],
  allow_send_emoji: false,
  allowed_upload_extentions: '.png',
};
const hiddenFields = {
  attributes: { note: SECRET },
  ipFilter: [SECRET],
  ipFilterDeny: [SECRET],
  bannedUsers: [{ id: SECRET }],
  smtpPassword: SECRET,
  createdBy: SECRET,
  settings: { ...visibleSettings, email: { from: SECRET, config: { pass: SECRET } }, note: SECRET },
  profile: {
    name: 'Custom',
    type: 'free',
    trialDays: 14,
    agents: 0,
    subscriptionId: SECRET,
    customization: { note: SECRET },
  },
};

const startWidget = (id: string, headers = {}) => api().get(`/v3/${id}/widgets`, headers);

describe('Start of the chat widget (GET widgets)', () => {
  it('the widget start needs no credentials and returns only the fields visible to visitors', async () => {
    const { project, owner, admin, agent } = await aProject();
    const publicFields = {
      widget: { align: 'left' },
      operatingHours: '{"tzname":"UTC"}',
      timeSlots: { a: { name: 'A' } },
    };
    await changeProject(project.id, { ...hiddenFields, ...publicFields });
    const { body, text } = await startWidget(project.id);
    expect(Object.keys(body)).to.have.members(['project', 'user_available', 'departments', 'ip', 'botsRules']);
    expect(Object.keys(body.project)).to.have.members(VISIBLE_FIELDS);
    expect(body.project).to.deep.include(publicFields);
    expect(body.project.settings).to.deep.equal(visibleSettings);
    expect(body.project.profile).to.deep.equal({ name: 'Custom', type: 'free', trialDays: 14, agents: 0 });
    expect(body.user_available).to.have.deep.members([owner, admin, agent].map(({ id }) => ({ id, firstname: 'Ann' })));
    for (const secret of [SECRET, PASSWORD, owner.email, admin.email, agent.email]) expect(text).to.not.include(secret);
  });

  it('the widget start returns the visible departments', async () => {
    const { project } = await aProject();
    const base = { id_project: project.id, createdBy: SECRET };
    await Department.create([
      { ...base, name: 'Sales' },
      { ...base, name: 'Hidden', status: 0 },
    ]);
    const { body, text } = await startWidget(project.id);
    expect(body.departments.map(({ name }: { name: string }) => name)).to.deep.equal(['Default Department', 'Sales']);
    expect(Object.keys(body.departments[1])).to.have.members([
      '_id',
      'id',
      'id_project',
      'name',
      'routing',
      'default',
      'status',
    ]);
    expect(text).to.not.include(SECRET);
  });

  it('the widget start returns no available teammates outside the operating hours, or if these are invalid', async () => {
    const { project } = await aProject();
    for (const operatingHours of ['{"tzname":"UTC"}', 'nonsense', '']) {
      await changeProject(project.id, { activeOperatingHours: true, operatingHours });
      expect((await startWidget(project.id)).body.user_available, operatingHours).to.deep.equal([]);
    }
  });

  it('the widget start may be cached, and returns 304 while it is unchanged', async () => {
    const { project, admin } = await aProject();
    const first = await startWidget(project.id);
    expect(first.headers['cache-control']).to.equal('private, max-age=30');
    const conditional = { 'if-none-match': String(first.headers.etag) };
    const again = await startWidget(project.id, conditional);
    expect([again.status, again.text]).to.deep.equal([304, '']);
    await api(admin).put(`/v3/projects/${project.id}`, { name: 'Another' });
    const changed = await startWidget(project.id, conditional);
    expect([changed.status, changed.body.project.name]).to.deep.equal([200, 'Another']);
  });

  it('after the trial the widget start omits the branding and all but the default department', async () => {
    const { project } = await aProject();
    await Department.create([{ id_project: project.id, createdBy: 'x', name: 'Sales' }]);
    const widget = { poweredBy: 'us', baloonImage: 'https://a.example/b.png', align: 'left' };
    await changeProject(project.id, { widget, 'profile.trialDays': -1 });
    expect((await startWidget(project.id)).body.project.widget).to.deep.equal(widget);
    config.TRIAL_MODE = true;
    try {
      const { body } = await startWidget(project.id);
      expect(body.project).to.deep.include({ widget: { align: 'left' }, trialExpired: true });
      expect(body.departments).to.have.lengthOf(1);
    } finally {
      config.TRIAL_MODE = false;
    }
  });

  it('the widget start rejects an unknown project (400) and an invalid token (401)', async () => {
    const { project } = await aProject();
    for (const id of ['0'.repeat(24), 'nonsense']) expect((await startWidget(id)).status).to.equal(400);
    expect((await startWidget(project.id, { authorization: 'JWT nonsense' })).status).to.equal(401);
  });

  it("widgets/ip returns the client's address", async () => {
    const { project } = await aProject();
    const { body } = await api().get(`/v3/${project.id}/widgets/ip`);
    expect(body.ip).to.match(/127\.0\.0\.1$/);
    expect((await startWidget(project.id)).body.ip).to.equal(body.ip);
  });
});
