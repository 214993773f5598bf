// Finds documents that take the database much work for their cost: varies the dearest ones again and again.
import { createRandom } from '../../prisma/seed/random.ts'
import { createSchema } from '../../src/schema.ts'
import type { TestApp } from './app.ts'
import { type Work, type WorkMeter, workPerCost } from './database-work.ts'
import { type Call, documentDraws, printDocument } from './document-draws.ts'
import { scalarsOf } from './document-values.ts'

export interface MeasuredDocument {
  readonly text: string
  readonly cost: number
  readonly work: Work
}

interface Options {
  readonly seed: number
  /** Documents that are measured. */
  readonly count: number
  readonly dearest: number
}

const maxCharacters = 10_000
/** Documents with the same root fields among those that are varied, so that others are found, too. */
const maxAlike = 4

/** The dearest documents first. */
export async function findDearest(
  app: TestApp,
  meter: WorkMeter,
  { seed, count, dearest }: Options,
): Promise<MeasuredDocument[]> {
  const random = createRandom(seed)
  const draws = documentDraws(createSchema(app.settings.languages), random, await scalarsOf(app, random))
  const tried = new Set<string>()
  let kept: (MeasuredDocument & { readonly document: Call })[] = []
  const tryOut = async (document: Call) => {
    const text = printDocument(document)
    if (text.length > maxCharacters || tried.has(text)) return
    tried.add(text)
    const measured = await meter.graphql(app, text)
    if (measured.cost !== undefined) kept.push({ document, text, cost: measured.cost, work: measured.work })
  }
  const keepDearest = () => {
    const alike = new Map<string, number>()
    kept = kept
      .toSorted((one, other) => workPerCost(other) - workPerCost(one))
      .filter(({ document }) => {
        const roots = [...new Set(document.below.map(({ field }) => field?.name))].sort().join(' ')
        alike.set(roots, (alike.get(roots) ?? 0) + 1)
        return (alike.get(roots) ?? 0) <= maxAlike
      })
      .slice(0, dearest)
  }
  // As many new documents as variations in the first quarter.
  while (tried.size < count) {
    const isNew = kept.length === 0 || (tried.size < count / 4 && random.chance(0.5))
    let document = isNew ? draws.documentOf(random.pick(draws.roots)) : draws.variationOf(random.pick(kept).document)
    while (random.chance(0.3)) document = draws.variationOf(document)
    await tryOut(document)
    if (kept.length > 2 * dearest) keepDearest()
  }
  keepDearest()
  return kept
}
