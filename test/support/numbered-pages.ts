/** Pages with distinct sections, each of which becomes a chunk. */
const WORDS = 'window garden letter bridge market harbour winter silver engine paper island forest'.split(' ');

const sentence = (seed: number): string =>
  `${Array.from({ length: 24 }, (_, index) => WORDS[(seed * 7 + index * (1 + (seed % 5))) % WORDS.length]).join(' ')}.`;

/** A word that occurs in only one section of one page. */
export const sectionMark = (page: string, section: number): string => `mark${page}s${section}`;

/** A page of sections; with the setting `CHUNK_TOKENS=100`, each section becomes one chunk. */
export const pageOfSections = (page: string, sections: number): string => {
  const section = (index: number) =>
    `<h2>Section ${index} of page ${page}</h2><p>The word here is ${sectionMark(page, index)}. ${sentence(index)}</p><p>${sentence(index + 3)}</p>`;
  const body = Array.from({ length: sections }, (_, index) => section(index)).join('');
  return `<html><head><title>Page ${page}</title></head><body><main><h1>Page ${page}</h1>${body}</main></body></html>`;
};
