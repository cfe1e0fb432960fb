import { readdir } from 'node:fs/promises';

/** Loads all models, so that `models()` returns the models of all collections. */
export const loadModels = async (): Promise<void> => {
  const folder = new URL('../models/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  await Promise.all(files.map((file) => import(new URL(file, folder).href)));
};
