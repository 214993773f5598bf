// Texts of images: like the served texts of other records, one row per image and site language, whether written in it or
// copied from the fallback language, so that reading in a language reads one row.
import DataLoader from 'dataloader'
import { memoize, memoizeByObject } from '../../../basics/memoize.ts'
import type { Tx } from '../../../engine/postgres/client.ts'
import type { Context } from '../../../service/context.ts'
import { builder, type InputFields } from '../../../service/graphql/builder.ts'
import { LanguageCode } from '../../../service/graphql/language-code.ts'
import { slugify } from '../../text/slug.ts'
import {
  checkNameRemoval,
  collectByLanguage,
  omitUndefined,
  readLineInput,
  readNameInput,
} from '../../text/text-input.ts'
import { computeServedFields, type OwnText, pickWrittenFields, type SiteLanguages } from '../../text/text-rows.ts'

const imageTextFields = ['title', 'altText', 'caption', 'credit'] as const
export type ImageTextField = (typeof imageTextFields)[number]

/** Undefined leaves a text unchanged. Null removes it, so that reads fall back to another language. */
export type ImageTextChange = { readonly [field in ImageTextField]?: string | null | undefined }

export const imageTextSelect = <Column extends ImageTextField>({ language }: Context, column: Column) => ({
  texts: { where: { language }, select: { [column]: true } as Record<Column, true> },
})

interface TextSource {
  readonly id: number
  readonly original: string
  readonly own: ReadonlyMap<string, OwnText<ImageTextField>>
}

async function readSources(tx: Tx, ids: readonly number[]): Promise<TextSource[]> {
  const texts = { where: { written: { isEmpty: false } } }
  const images = await tx.image.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, originalLanguage: true, texts },
  })
  return images.map(({ id, originalLanguage, texts }) => {
    const own = texts.map((row) => [row.language, pickWrittenFields(row, row.written as ImageTextField[])] as const)
    return { id, original: originalLanguage, own: new Map(own) }
  })
}

async function replaceTexts(tx: Tx, sources: readonly TextSource[], site: SiteLanguages): Promise<void> {
  await tx.imageText.deleteMany({ where: { imageId: { in: sources.map(({ id }) => id) } } })
  const rows = sources.flatMap((source) =>
    computeServedFields(imageTextFields, source, site).map(({ language, texts, written }) => {
      return { imageId: source.id, language, ...texts, written }
    }),
  )
  await tx.imageText.createMany({ data: rows })
}

/** Writes the texts of an image, whose row must exist, and derives its slug from the title. */
export async function writeImageTexts(
  tx: Tx,
  id: number,
  changes: ReadonlyMap<string, ImageTextChange>,
  { settings, language }: Context,
): Promise<void> {
  const [before] = await readSources(tx, [id])
  if (!before) throw new Error(`There is no image ${id}`)
  const own = new Map(before.own)
  for (const [changed, change] of changes) {
    const text = Object.entries({ ...own.get(changed), ...omitUndefined(change) }).filter(([, value]) => value !== null)
    if (text.length > 0) own.set(changed, Object.fromEntries(text))
    else own.delete(changed)
  }
  const original = before.original || language
  await replaceTexts(tx, [{ id, original, own }], settings)
  const slug = slugify(own.get(original)?.title ?? '')
  await tx.image.update({ where: { id }, data: { originalLanguage: original, slug } })
}

/** Rebuilds the texts of all images, after LANGUAGES or DEFAULT_LANGUAGE changed. */
export async function rebuildImageTexts(tx: Tx, site: SiteLanguages): Promise<void> {
  const ids = await tx.image.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
  for (let start = 0; start < ids.length; start += 1000) {
    const batch = ids.slice(start, start + 1000).map(({ id }) => id)
    await replaceTexts(tx, await readSources(tx, batch), site)
  }
}

interface StoredTranslation extends Record<ImageTextField, string> {
  readonly language: string
  readonly written: readonly string[]
}

/** A new DataLoader after each write of the operation: a later mutation must not get texts from before the write. */
const loadersOf = memoizeByObject(({ reads, settings }: Context) =>
  memoize({ name: 'imageTranslations' }, (_writes: number) => {
    return new DataLoader<number, readonly StoredTranslation[]>(async (ids) => {
      const rows = await reads.imageText.findMany({
        where: { imageId: { in: [...ids] }, language: { in: [...settings.languages] }, written: { isEmpty: false } },
        orderBy: [{ language: 'asc' }, { imageId: 'asc' }],
        select: {
          imageId: true,
          language: true,
          written: true,
          title: true,
          altText: true,
          caption: true,
          credit: true,
        },
      })
      const byImage = Map.groupBy(rows, ({ imageId }) => imageId)
      return ids.map((id) => byImage.get(id) ?? [])
    })
  }),
)

/** Loads the texts of an image that clients wrote, by language. One query per operation. */
export const loadImageTranslations = (id: number, context: Context): Promise<readonly StoredTranslation[]> =>
  loadersOf(context)(context.writes.all.length).load(id)

export const ImageTranslation = builder.objectRef<StoredTranslation>('ImageTranslation').implement({
  description:
    'The texts of an image that were written in one language. Fields that were only written in other languages are null.',
  fields: (t) => {
    const text = (field: ImageTextField, description: string) =>
      t.string({
        nullable: true,
        description,
        resolve: (row) => (row.written.includes(field) ? row[field] : null),
      })
    return {
      language: t.expose('language', { type: LanguageCode, description: 'Language of the text.' }),
      title: text('title', 'Title.'),
      altText: text('altText', 'Text for people who cannot see the image.'),
      caption: text('caption', 'Text to show below the image.'),
      credit: text('credit', 'Who made the image, or owns its rights.'),
    }
  },
})

export const imageTextInputFields = (t: InputFields, title: string) => ({
  title: t.string({ description: title }),
  altText: t.string({ description: 'Text for people who cannot see the image.' }),
  caption: t.string({ description: 'Text to show below the image.' }),
  credit: t.string({ description: 'Who made the image, or owns its rights.' }),
})

export const ImageTranslationInput = builder.inputType('ImageTranslationInput', {
  description:
    'Text in another language than the language of the operation. Fields that the input omits stay unchanged; null removes the text.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, required: true, description: 'Language of this text.' }),
    ...imageTextInputFields(t, 'Title.'),
  }),
})

const line = (text: string | null | undefined) => (text === null ? null : readLineInput(text))

function checkedText(text: ImageTextChange, language: string, original: string): ImageTextChange {
  const { title, altText, caption, credit } = text
  return {
    title: title === null ? checkNameRemoval('title', 'title', language, original) : readNameInput('title', title),
    altText: line(altText),
    caption: line(caption),
    credit: line(credit),
  }
}

/** Returns the checked texts by language: `text` in the language of the operation, and the translations. */
export const parseImageTexts = (
  text: ImageTextChange & { readonly translations?: readonly (typeof ImageTranslationInput.$inferInput)[] | null },
  original: string,
  { language }: Context,
): Promise<ReadonlyMap<string, ImageTextChange>> =>
  collectByLanguage(
    language,
    () => checkedText(text, language, original),
    text.translations,
    ({ language: other, ...translation }) => checkedText(translation, other, original),
  )
