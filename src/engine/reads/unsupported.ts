/** Thrown for arguments that the read engine does not support. Prisma's own engine then runs the query. */
export class Unsupported extends Error {}

/** Returns the result of `compile`; undefined if `compile` throws Unsupported. */
export function ifSupported<Compiled>(compile: () => Compiled): Compiled | undefined {
  try {
    return compile()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
