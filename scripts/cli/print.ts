/** Rows of text in columns as wide as their widest cell; numbers to the right. */
export const table = (rows: (string | number)[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const cell = (value: string | number, column: number) =>
    typeof value === 'number' ? String(value).padStart(widths[column] ?? 0) : value.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

/** A number with its noun, which takes an s when they are many. */
export const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
