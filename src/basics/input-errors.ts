// Runs all checks of an input, so that one error reports all problems of the input.
import { DomainError, type InputProblem, inputProblemsError } from './errors.ts'

type Path = InputProblem['path']

/** Returns the input problems of an error. Rethrows errors that are not about the input. */
export function toInputProblems(error: unknown): readonly InputProblem[] {
  if (error instanceof DomainError && (error.code === 'BAD_INPUT' || error.problems.length > 0)) return error.problems
  throw error
}

/**
 * Runs all checks one after the other and returns their results by name. Throws one BAD_INPUT error with the problems of
 * all checks. An error that is not about a value of the input, such as a missing permission, ends the checks at once.
 */
export async function checkAll<Checks extends Readonly<Record<string, () => unknown>>>(
  checks: Checks,
): Promise<{ readonly [Name in keyof Checks]: Awaited<ReturnType<Checks[Name]>> }> {
  const problems: InputProblem[] = []
  const results: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(checks)) {
    try {
      results[name] = await check()
    } catch (error) {
      problems.push(...toInputProblems(error))
    }
  }
  if (problems.length > 0) throw inputProblemsError(problems)
  return results as { [Name in keyof Checks]: Awaited<ReturnType<Checks[Name]>> }
}

/** Runs a check for each item of the list in a field of the input, like `checkAll`. */
export async function checkEachItem<Item, Result>(
  field: string,
  items: readonly Item[],
  check: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const checks = items.map((item, index) => [`${index}`, () => checkAtPath([field, index], () => check(item))] as const)
  return Object.values(await checkAll(Object.fromEntries(checks))) as Result[]
}

/** Runs a check of the part of the input at `path`, and puts `path` before the paths of its problems. */
export async function checkAtPath<Result>(path: Path, check: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    throw inputProblemsError(
      toInputProblems(error).map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
    )
  }
}
