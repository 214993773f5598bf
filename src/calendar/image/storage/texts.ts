// Texts of images: like the served texts of other records, one row per image and site language, whether written in it or
// copied from the fallback language, so that reading in a language reads one row.
import DataLoader from 'dataloader'
import { badInput } from '../../../basics/errors.ts'
import { checkEach } from '../../../basics/input-errors.ts'
import { fallbackChain, languageCode } from '../../../basics/language.ts'
import { memoizeByObject } from '../../../basics/memoize.ts'
import type { Tx } from '../../../engine/postgres/client.ts'
import type { Context } from '../../../service/context.ts'
import { builder } from '../../../service/graphql/builder.ts'
import { LanguageCode } from '../../../service/graphql/language-code.ts'
import { slugify } from '../../text/slug.ts'
import { lineInput, nameInput } from '../../text/text-input.ts'
import type { SiteLanguages } from '../../text/text-rows.ts'

const imageTextFields = ['title', 'altText', 'caption', 'credit'] as const
export type ImageTextField = (typeof imageTextFields)[number]

/** Text that was written in one language, without copies. */
type OwnText = { readonly [field in ImageTextField]?: string }

/** Undefined leaves a field. Null removes it, so that reads fall back to another language. */
export type ImageTextChange = { readonly [field in ImageTextField]?: string | null | undefined }

/** Selects one column of the served text. */
export const imageTextColumn = <Column extends ImageTextField>({ language }: Context, column: Column) => ({
  texts: { where: { language }, select: { [column]: true } as Record<Column, true> },
})

interface TextSource {
  readonly id: number
  readonly originalLanguage: string
  readonly own: ReadonlyMap<string, OwnText>
}

function servedTexts({ id, originalLanguage, own }: TextSource, site: SiteLanguages) {
  return [...new Set([...site.languages, ...own.keys()])].map((language) => {
    const chain = fallbackChain(language, originalLanguage, site)
    const served = (field: ImageTextField) => {
      const source = chain.find((candidate) => own.get(candidate)?.[field] !== undefined)
      return source === undefined ? '' : (own.get(source)?.[field] ?? '')
    }
    return {
      imageId: id,
      language,
      title: served('title'),
      altText: served('altText'),
      caption: served('caption'),
      credit: served('credit'),
      written: imageTextFields.filter((field) => own.get(language)?.[field] !== undefined),
    }
  })
}

async function readSources(tx: Pick<Tx, 'image'>, ids: readonly number[]): Promise<TextSource[]> {
  const texts = { where: { written: { isEmpty: false } } }
  const images = await tx.image.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, originalLanguage: true, texts },
  })
  return images.map(({ texts: rows, ...image }) => ({
    ...image,
    own: new Map(
      rows.map((row) => [row.language, Object.fromEntries(row.written.map((field) => [field, row[field as 'title']]))]),
    ),
  }))
}

async function replaceTexts(tx: Tx, sources: readonly TextSource[], site: SiteLanguages): Promise<void> {
  await tx.imageText.deleteMany({ where: { imageId: { in: sources.map(({ id }) => id) } } })
  await tx.imageText.createMany({ data: sources.flatMap((source) => servedTexts(source, site)) })
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
    const text = { ...own.get(changed), ...withoutUndefined(change) }
    const kept = Object.entries(text).filter(([, value]) => value !== null)
    if (kept.length > 0) own.set(changed, Object.fromEntries(kept))
    else own.delete(changed)
  }
  const originalLanguage = before.originalLanguage || language
  await replaceTexts(tx, [{ id, originalLanguage, own }], settings)
  const title = own.get(originalLanguage)?.title ?? ''
  await tx.image.update({ where: { id }, data: { originalLanguage, slug: slugify(title) } })
}

const withoutUndefined = (change: ImageTextChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

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

const createLoader = ({ reads, settings }: Context) =>
  new DataLoader<number, readonly StoredTranslation[]>(async (ids) => {
    const rows = await reads.imageText.findMany({
      where: { imageId: { in: [...ids] }, language: { in: [...settings.languages] }, written: { isEmpty: false } },
      orderBy: [{ language: 'asc' }, { imageId: 'asc' }],
      select: { imageId: true, language: true, written: true, title: true, altText: true, caption: true, credit: true },
    })
    const byImage = Map.groupBy(rows, ({ imageId }) => imageId)
    return ids.map((id) => byImage.get(id) ?? [])
  })

/** Mutations of one operation run one after another, and each reads what it wrote. */
const loadersOf = memoizeByObject((_context: Context) => new Map<number, ReturnType<typeof createLoader>>())

/** The texts of an image by language, without copies. One query per operation. */
export function imageTranslations(id: number, context: Context): Promise<readonly StoredTranslation[]> {
  const loaders = loadersOf(context)
  const writes = context.writes.all.length
  const loader = loaders.get(writes) ?? createLoader(context)
  loaders.set(writes, loader)
  return loader.load(id)
}

export const ImageTranslation = builder.objectRef<StoredTranslation>('ImageTranslation').implement({
  description: 'Text of an image that was written in one language. Null for what only exists in other languages.',
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
      altText: text('altText', 'Text that replaces the image.'),
      caption: text('caption', 'Text to show below the image.'),
      credit: text('credit', 'Who made the image, or owns its rights.'),
    }
  },
})

export const ImageTranslationInput = builder.inputType('ImageTranslationInput', {
  description: 'Text in another language than that of the operation. Omitted fields stay; null removes the text.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, required: true, description: 'Language of this text.' }),
    title: t.string({ description: 'Title.' }),
    altText: t.string({ description: 'Text that replaces the image, for people who cannot see it.' }),
    caption: t.string({ description: 'Text to show below the image.' }),
    credit: t.string({ description: 'Who made the image, or owns its rights.' }),
  }),
})

type Translations = readonly (typeof ImageTranslationInput.$inferInput)[] | null | undefined

const line = (text: string | null | undefined) => (text === null ? null : lineInput(text))

/** The checked text of one language. Throws badInput if the title is removed in the original language. */
function checkedText(text: ImageTextChange, language: string, original: string): ImageTextChange {
  const { title, altText, caption, credit } = text
  if (title === null && language === original) {
    throw badInput({ title: `The title in ${languageCode(original)} cannot be removed: it is the original language.` })
  }
  return {
    title: title === null ? null : nameInput('title', title),
    altText: line(altText),
    caption: line(caption),
    credit: line(credit),
  }
}

/** The checked text by language: `text` in the language of the operation, and the translations. */
export async function imageTextChanges(
  text: ImageTextChange & { readonly translations?: Translations },
  original: string,
  { language }: Context,
): Promise<ReadonlyMap<string, ImageTextChange>> {
  const changes = new Map([[language, checkedText(text, language, original)]])
  const seen = new Set<string>()
  await checkEach('translations', text.translations ?? [], ({ language: other, ...translation }) => {
    if (seen.has(other)) throw badInput({ language: `The language ${languageCode(other)} occurs twice.` })
    seen.add(other)
    const change = checkedText(translation, other, original)
    changes.set(other, { ...changes.get(other), ...withoutUndefined(change) })
  })
  return changes
}
