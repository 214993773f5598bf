// Creates objects whose fields are known before their values.

/**
 * Returns a function that creates an object with these fields, all null. Each field that is added to an object may make V8
 * copy the others; here, they are copied once.
 */
export function createObjectFactory(names: readonly string[]): () => Record<string, unknown> {
  // Parsed, since V8 then stores the fields in the object itself.
  const template: Record<string, unknown> = JSON.parse(
    `{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`,
  )
  return () => ({ ...template })
}
