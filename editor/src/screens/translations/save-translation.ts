import type { Client, CombinedError, TypedDocumentNode } from '@urql/core'
import {
  type TextsOfRecordQuery,
  TranslateCategoryDocument,
  TranslateEventDocument,
  TranslateEventSeriesDocument,
  TranslateOrganizerDocument,
  TranslateTagDocument,
  TranslateVenueDocument,
  type TranslationInput,
  type UserErrorPartsFragment,
} from '../../gql/graphql.ts'

/** A record with its texts in all languages. */
export type TranslatedRecord = Extract<NonNullable<TextsOfRecordQuery['node']>, { readonly heading: string }>

interface Input {
  readonly id: string
  readonly translations: TranslationInput[]
  readonly ifUnmodifiedSince: string
}
type Document = TypedDocumentNode<
  { readonly written: { readonly userErrors: readonly UserErrorPartsFragment[] } | null },
  { readonly input: Input }
>

const documents: Readonly<Record<TranslatedRecord['__typename'], Document>> = {
  Event: TranslateEventDocument,
  EventSeries: TranslateEventSeriesDocument,
  Venue: TranslateVenueDocument,
  Organizer: TranslateOrganizerDocument,
  Category: TranslateCategoryDocument,
  Tag: TranslateTagDocument,
}

interface Saved {
  readonly userErrors: readonly UserErrorPartsFragment[] | undefined
  readonly error: CombinedError | undefined
}

/** Writes the texts of one language, and no other field. */
export async function saveTranslation(
  client: Client,
  record: TranslatedRecord,
  translation: TranslationInput,
): Promise<Saved> {
  const input = {
    id: record.id,
    translations: [translation],
    ifUnmodifiedSince: record.modifiedAt,
  }
  const { data, error } = await client.mutation(documents[record.__typename], { input })
  return { userErrors: data?.written?.userErrors, error }
}
