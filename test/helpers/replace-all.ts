// Adapts documented configurations to a test.
/** Replaces texts. Throws if one is missing. */
export function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`Not found: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}
