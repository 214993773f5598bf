// The picture of a record in a form. Its texts belong to the picture, which other records may show, too.
import type { Client, CombinedError } from '@urql/core'
import { type FormImageFragment, UpdateFormImageDocument, type UserErrorPartsFragment } from '../../gql/graphql.ts'

interface PictureTexts {
  readonly altText: string
  /** Needs no alternative text. */
  readonly decorative: boolean
}

export interface Picture extends PictureTexts {
  readonly id: string
  readonly title: string
  readonly thumbnail: string
  readonly canEdit: boolean
  /** What the service has. */
  readonly saved: PictureTexts
}

export const readPicture = ({
  id,
  title,
  altText,
  decorative,
  url,
  sizes,
  viewerCanUpdate,
}: FormImageFragment): Picture => ({
  ...{ id, title, altText, decorative, canEdit: viewerCanUpdate, saved: { altText, decorative } },
  thumbnail: sizes.find(({ name }) => name === 'medium')?.url ?? url,
})

interface Refused {
  readonly error: CombinedError | undefined
  /** With the path of the picture in the input of the record. */
  readonly userErrors: readonly UserErrorPartsFragment[]
}

/** Writes the texts of a picture that were changed. Returns undefined, or why they were refused. */
export async function savePicture(client: Client, picture: Picture | null): Promise<Refused | undefined> {
  if (!picture?.canEdit) return undefined
  const { id, altText, decorative, saved } = picture
  const changed = {
    ...(altText !== saved.altText && { altText: altText.trim() }),
    ...(decorative !== saved.decorative && { decorative }),
  }
  if (Object.keys(changed).length === 0) return undefined
  const { data, error } = await client.mutation(UpdateFormImageDocument, { input: { id, ...changed } })
  if (data?.updateImage?.image) return undefined
  const userErrors = (data?.updateImage?.userErrors ?? []).map((each) => ({ ...each, path: ['imageId'] }))
  return { error, userErrors }
}
