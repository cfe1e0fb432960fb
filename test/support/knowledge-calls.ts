/** Calls to the knowledge bases of a project. */
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from './api.ts';
import type { aProject } from './people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

/** A sentence that is long enough to be the text of a page. */
export const SENTENCE = 'Parcels leave our warehouse on the day of the order and arrive within three working days.';

/** A form with a text file in the field `uploadFile`, and other fields. */
export const aTextForm = (text: string, fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('uploadFile', new Blob([text], { type: 'text/csv' }), 'faq.csv');
  return form;
};

/** Calls by the project's admin to endpoints below `/kb`, and queries of the database. */
export const knowledgeCalls = ({ admin, project: { id: project } }: ProjectFixture) => {
  const root = `/v3/${project}/kb`;
  const post = (path: string, body: object) => api(admin).post(`${root}${path}`, body);
  return {
    root,
    post,
    put: (id: string, body: object) => api(admin).put(`${root}/${id}`, body),
    aNamespace: async (): Promise<string> => (await post('/namespace', { name: 'Own' })).body.id,
    read: async (id: string) => (await api(admin).get(`${root}/${id}`)).body,
    /** The texts of the stored chunks of a content. */
    chunkTexts: async (content: string): Promise<string> => {
      const chunks = await KbChunk.find({ id_project: project, content }).sort({ index: 1 }).lean();
      return chunks.map(({ text }) => text).join('\n');
    },
    /** The sources of the pages of a namespace. */
    pageSources: (namespace: string) => KbContent.distinct('source', { id_project: project, namespace, type: 'url' }),
  };
};
