/** Thrown for arguments that the read engine does not compile: Prisma's own engine runs the query then. */
export class Unsupported extends Error {}

/** Undefined where `compile` throws Unsupported. */
export function ifSupported<Compiled>(compile: () => Compiled): Compiled | undefined {
  try {
    return compile()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
