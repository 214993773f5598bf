// Which functions write which kind of record. They are those of the mutations, so that their rules apply.

import { conflict } from '../../basics/errors.ts'
import { createCategory, lockCategoryTree, updateCategory } from '../../calendar/category/write.ts'
import { createEvent, updateEvent } from '../../calendar/event/write.ts'
import type { ImportedValues } from '../../calendar/lifecycle/modified-at.ts'
import { mutate } from '../../calendar/lifecycle/mutation.ts'
import type { Outcome } from '../../calendar/lifecycle/payload.ts'
import { lockTerm } from '../../calendar/lifecycle/term.ts'
import { createOrganizer, updateOrganizer } from '../../calendar/organizer/write.ts'
import { createTag, updateTag } from '../../calendar/tag/write.ts'
import { slugify, slugOwners } from '../../calendar/text/slug.ts'
import { createVenue, updateVenue } from '../../calendar/venue/write.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { readVersion } from './ledger.ts'
import { eventInput, type InputContext, organizerInput, termInput, venueInput } from './record-inputs.ts'
import type { SourceKind } from './source-records.ts'

interface Existing {
  readonly id: number
  /** The version that the record must have; undefined for any. */
  readonly version: string | undefined
}

interface PostValues {
  readonly imageId?: string | null
}

/** The functions that write one record. Both return its ID. */
interface RecordWriter {
  create(image: PostValues, imported: ImportedValues): Promise<number>
  update(existing: Existing, image: PostValues, imported: ImportedValues): Promise<number>
}

export interface Writing {
  readonly input: object
  /** Runs `work` as a mutation: its limits apply, and its errors become user errors. */
  run(context: Context, work: (tx: Tx, writer: RecordWriter) => Promise<number>): Promise<Outcome>
}

export function writingOf(record: SourceKind, context: InputContext): Writing {
  switch (record.kind) {
    case 'event':
      return postWriting(eventInput(record, context), createEvent, updateEvent)
    case 'venue':
      return postWriting(venueInput(record, context), createVenue, updateVenue)
    case 'organizer':
      return postWriting(organizerInput(record, context), createOrganizer, updateOrganizer)
    case 'category':
      return termWriting('category', termInput(record, context), createCategory, updateCategory)
    case 'tag':
      return termWriting('tag', termInput(record, context), createTag, updateTag)
  }
}

type Write<Input> = (tx: Tx, input: Input, context: Context, imported?: ImportedValues) => Promise<number>

function postWriting<Input extends object>(
  input: Input,
  create: Write<Input & PostValues>,
  update: Write<Input & PostValues & { readonly id: string; readonly ifUnmodifiedSince: Date | undefined }>,
): Writing {
  return {
    input,
    run: (context, work) =>
      mutate(context, input, (tx, checked) =>
        work(tx, {
          create: (image, imported) => create(tx, { ...checked, ...image }, context, imported),
          update: ({ id, version }, image, imported) => {
            const ifUnmodifiedSince = version === undefined ? undefined : new Date(Number(version))
            return update(tx, { ...checked, ...image, id: String(id), ifUnmodifiedSince }, context, imported)
          },
        }),
      ),
  }
}

function termWriting<Input extends { readonly slug?: string | null }>(
  kind: TermKind,
  input: Input,
  create: Write<Input>,
  update: Write<Input & { readonly id: string }>,
): Writing {
  return {
    input,
    run: (context, work) =>
      mutate(context, input, (tx, checked) =>
        work(tx, {
          create: (_image, imported) => create(tx, checked, context, imported),
          update: async (existing) => {
            await lockUnmodified(tx, kind, existing, context)
            const { id } = existing
            const free = await withoutTakenSlug(tx, kind, id, checked)
            return update(tx, { ...free, id: String(id) }, context)
          },
        }),
      ),
  }
}

/** Terms have no `modifiedAt` that `ifUnmodifiedSince` could compare. */
async function lockUnmodified(tx: Tx, kind: TermKind, { id, version }: Existing, context: Context): Promise<void> {
  if (kind === 'category') await lockCategoryTree(tx)
  await lockTerm(tx, kind, String(id), context)
  if (version === undefined || (await readVersion(tx, kind, id)) === version) return
  throw conflict(`The ${kind} was edited here.`)
}

/** A term keeps its slug if another one has the new slug: the mutation would reject it. */
async function withoutTakenSlug<Input extends { readonly slug?: string | null }>(
  tx: Tx,
  kind: TermKind,
  id: number,
  input: Input,
): Promise<Input> {
  const slug = slugify(input.slug ?? '')
  const owner = slug === '' ? id : ((await slugOwners(tx, kind, [slug])).get(slug) ?? id)
  return owner === id ? input : { ...input, slug: undefined }
}
