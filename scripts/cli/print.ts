/** Formats rows as a table with aligned columns; numbers are aligned to the right. */
export const formatTable = (rows: (string | number)[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const cell = (value: string | number, column: number) =>
    typeof value === 'number' ? String(value).padStart(widths[column] ?? 0) : value.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Replaces the control characters in text from users, because a terminal would interpret them. */
export const printable = (text: string): string => text.replace(CONTROL_CHARACTERS, '\u{fffd}');
