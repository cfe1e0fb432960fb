/** Shows the progress of a long command. */

const BAR_WIDTH = 40;
const PERCENT_PER_LINE = 10;

/**
 * Returns a function that shows progress: a bar on a terminal, otherwise a line for the first value, for each value at
 * least ten percent above the last one shown, and for 100 percent.
 */
export const progressPrinter = (name: string, output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout) => {
  let shownPercent = -1;
  return ({ done, total }: { done: number; total: number }): void => {
    const percent = total ? Math.floor((done / total) * 100) : 100;
    if (percent === shownPercent) return;
    if (output.isTTY) {
      const filled = Math.round((percent / 100) * BAR_WIDTH);
      output.write(`\r${name} [${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${percent}%`);
      shownPercent = percent;
    } else if (percent >= shownPercent + PERCENT_PER_LINE || shownPercent < 0 || percent === 100) {
      output.write(`${name}: ${percent}%\n`);
      shownPercent = percent;
    }
  };
};

/** Returns a function that shows the progress of several parts, one after the other, each with its name. */
export const partPrinter = () => {
  const printers = new Map<string, ReturnType<typeof progressPrinter>>();
  return (part: string, progress: { done: number; total: number }): void => {
    const print = printers.get(part) ?? progressPrinter(part);
    printers.set(part, print);
    print(progress);
    if (process.stdout.isTTY && progress.done === progress.total) process.stdout.write('\n');
  };
};
