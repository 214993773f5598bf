/** Thrown for arguments that the read engine does not support. Prisma's own engine then runs the query. */
export class UnsupportedError extends Error {}

/** Returns the result of `compile`; undefined if `compile` throws Unsupported. */
export function ifSupported<Compiled>(compile: () => Compiled): Compiled | undefined {
  try {
    return compile()
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined
    throw error
  }
}
