// Images of imported records: downloaded once per URL, under the same checks as imageUrl of a mutation.
import { fetchImages, findImage, imageIdOf, imageProblems, missingImages } from '../../content/image/write.ts'
import { problemsOf } from '../../content/lifecycle/input-errors.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import type { RecordIds } from './record-ids.ts'
import type { SourceImage } from './source-records.ts'

export interface RecordImages {
  /** Downloads an image unless it is stored already. Returns why it cannot be used, or undefined. */
  fetch(image: SourceImage): Promise<string | undefined>
  /** The ID of a fetched image, which is recorded in the transaction if it is new. */
  idOf(tx: Tx, image: SourceImage): Promise<number | undefined>
}

/** `context` is that of the whole import: it remembers which files were stored. */
export function createRecordImages(context: Context, ids: RecordIds): RecordImages {
  const fetched = new Map<string, Promise<string | undefined>>()
  return {
    fetch: ({ url }) => {
      const problem = fetched.get(url) ?? fetchOnce(url, context)
      fetched.set(url, problem)
      return problem
    },
    idOf: async (tx, { id, url }) => {
      const image = await findImage(tx, { imageUrl: url }, context)
      const recordId = typeof image === 'object' ? await ids.choose(tx, 'image', id) : undefined
      return (await imageIdOf(tx, image, context, recordId)) ?? undefined
    },
  }
}

async function fetchOnce(url: string, context: Context): Promise<string | undefined> {
  const image = { source: url, path: ['imageUrl'] }
  const [problem] = imageProblems([image], context)
  if (problem) return problem.message
  try {
    await fetchImages(await missingImages([image], context), context)
    return undefined
  } catch (error) {
    return problemsOf(error)[0]?.message ?? 'The image could not be downloaded.'
  }
}
