// Checks of an input: all that are wrong are found and reported together.
import { badInputs, DomainError, type InputProblem } from '../../errors.ts'

type Path = InputProblem['path']

/** What is wrong according to a BAD_INPUT error. Throws any other error again. */
export function problemsOf(error: unknown): readonly InputProblem[] {
  if (error instanceof DomainError && error.code === 'BAD_INPUT') return error.problems
  throw error
}

/**
 * The results of all checks, which run one after the other. Throws one error with everything that they find wrong; an
 * error other than BAD_INPUT, such as a missing right, ends the checks.
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
      problems.push(...problemsOf(error))
    }
  }
  if (problems.length > 0) throw badInputs(problems)
  return results as { [Name in keyof Checks]: Awaited<ReturnType<Checks[Name]>> }
}

/** The same for each item of the list in a field of the input. */
export async function checkEach<Item, Result>(
  field: string,
  items: readonly Item[],
  check: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const checks = items.map((item, place) => [`${place}`, () => within([field, place], () => check(item))] as const)
  return Object.values(await checkAll(Object.fromEntries(checks))) as Result[]
}

/** Runs a check of a part of the input, which lies at this path. */
export async function within<Result>(path: Path, check: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    throw badInputs(problemsOf(error).map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
  }
}
