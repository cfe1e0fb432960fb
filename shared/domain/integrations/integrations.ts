/** Integrations: accounts of a project at other services. Their keys are stored encrypted, and never returned. */
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Integration, IntegrationView } from '../../models/integration.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { decryptKeys, encryptKeys, separateKeys } from './integration-keys.ts';

/** The integration with the key of a project's own account at the AI provider. */
export const AI_INTEGRATION = 'openai';

const INTEGRATION_FIELDS = projectionOf(IntegrationView);
const INTEGRATION_NOT_FOUND = 'Integration not found';

/** Lists the integrations of a project. */
export const list = (id_project: string) =>
  Integration.find({ id_project }, INTEGRATION_FIELDS).sort({ name: 1 }).lean();

/** Returns an integration. Errors: 404 for an unknown integration. */
export const find = async (id_project: string, id: string) => {
  const integration = isId(id) ? await Integration.findOne({ id_project, _id: id }, INTEGRATION_FIELDS).lean() : null;
  if (!integration) throw notFound(INTEGRATION_NOT_FOUND);
  return integration;
};

/** Returns the integration of a project with this name, or null. */
export const findByName = (id_project: string, name: string) =>
  Integration.findOne({ id_project, name }, INTEGRATION_FIELDS).lean();

const readKeys = async (id_project: string, name: string) => {
  const stored = await Integration.findOne({ id_project, name }, { secrets: 1 }).lean();
  return decryptKeys(stored?.secrets, { id_project, name });
};

interface IntegrationInput {
  name: string;
  value: Record<string, unknown>;
}

/** Returns the update that stores the settings of an integration. An empty key keeps its stored value. */
const settingsUpdate = async (id_project: string, { name, value }: IntegrationInput) => {
  const separated = separateKeys(value, await readKeys(id_project, name));
  const secrets = encryptKeys(separated.keys, { id_project, name });
  return { $set: { value: separated.value, secrets } };
};

const UPDATED_RECORD = {
  returnDocument: 'after',
  projection: INTEGRATION_FIELDS,
  ...emits('integration.update'),
} as const;
const integrationNotFound = () => notFound(INTEGRATION_NOT_FOUND);

/** Creates an integration, or replaces the settings of the one with this name. An empty key keeps its stored value. */
export const save = async (id_project: string, input: IntegrationInput) => {
  const update = await settingsUpdate(id_project, input);
  return Integration.findOneAndUpdate({ id_project, name: input.name }, update, { ...UPDATED_RECORD, upsert: true })
    .orFail(integrationNotFound)
    .lean();
};

/** Replaces the settings of an integration. Its name is unchanged. Errors: 404 for an unknown integration. */
export const update = async (id_project: string, id: string, value: Record<string, unknown>) => {
  const { name } = await find(id_project, id);
  const change = await settingsUpdate(id_project, { name, value });
  return Integration.findOneAndUpdate({ id_project, _id: id }, change, UPDATED_RECORD)
    .orFail(integrationNotFound)
    .lean();
};

/** Deletes an integration with its keys. Errors: 404 for an unknown integration. */
export const remove = async (id_project: string, id: string): Promise<void> => {
  const { deletedCount } = isId(id) ? await Integration.deleteOne({ id_project, _id: id }) : { deletedCount: 0 };
  if (!deletedCount) throw notFound(INTEGRATION_NOT_FOUND);
};

/** Returns the key in the `apikey` field of an integration; undefined if there is none. */
export const readApiKey = async (id_project: string, name: string): Promise<string | undefined> =>
  (await readKeys(id_project, name)).apikey || undefined;
