/** Reads the numbers that the dashboard shows, by day, hour, weekday or group. */
import type { Page } from 'playwright-core';

type Numbers = (number | null)[];
export type NumbersByKey = Record<string, Numbers>;

/** A script that reads the numbers in a section's table, by row. */
const READ_TABLE = `(section) => Object.fromEntries([...section.querySelectorAll('[data-key]')].map((row) => [
  row.dataset.key,
  [...row.querySelectorAll('data')].map(({ value }) => (value === '' ? null : Number(value))),
]))`;
/** A script that reads the numbers that the plot of a section draws, by the keys of the section's table. */
const READ_PLOT = `(section) => {
  const [, ...series] = section.querySelector('.plot').plotData();
  const keys = [...section.querySelectorAll('[data-key]')].map((row) => row.dataset.key);
  return Object.fromEntries(keys.map((key, index) => [key, series.map((values) => values[index] ?? null)]));
}`;

const isEmpty = (numbers: Numbers): boolean => numbers.every((number) => number === null || number === 0);

/** Omits days and hours without records, as the API does. */
export const withoutEmpty = (numbers: NumbersByKey): NumbersByKey =>
  Object.fromEntries(Object.entries(numbers).filter(([, each]) => !isEmpty(each)));

const readFrom =
  (script: string) =>
  async (page: Page, id: string): Promise<NumbersByKey> =>
    withoutEmpty(await page.evaluate<NumbersByKey>(`(${script})(document.getElementById('${id}'))`));

/** The numbers in the table of a section. */
export const numbersIn = readFrom(READ_TABLE);
/** The numbers that the plot of a section draws. */
export const numbersDrawn = readFrom(READ_PLOT);

export const numbersInTile = async (page: Page, id: string): Promise<Numbers> => {
  const values = await page.evaluate<string[]>(
    `[...document.querySelectorAll('#tile-${id} data')].map(({ value }) => value)`,
  );
  return values.map((value) => (value === '' ? null : Number(value)));
};
