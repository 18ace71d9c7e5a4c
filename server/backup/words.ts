/** The command line of backup and restore. */
import { StartError } from "#server/db/start-error.ts";

/** The file that was named and the options that were said. Throws StartError with the way to say it. */
export function fileWords(
  command: string,
  options: readonly string[],
  words: readonly string[] = process.argv.slice(2),
): { file: string; has(option: string): boolean } {
  const said = words.filter((word) => word.startsWith("--"));
  const [file, ...more] = words.filter((word) => !word.startsWith("--") && word !== command);
  const wrong = said.find((word) => !options.includes(word));
  if (!file || more.length > 0 || wrong)
    throw new StartError(
      `${wrong ? `${wrong} is unknown. ` : ""}Name one file: npm run ${command} -- FILE ${options.map((option) => `[${option}]`).join(" ")}`,
    );
  return { file, has: (option) => said.includes(option) };
}
