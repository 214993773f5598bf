import { type FormEvent, useState } from 'react'
import { useClient } from 'urql'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Select, TextArea, TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { useIsOpen } from '../../components/use-is-open.ts'
import { useLeaveWarning } from '../../components/use-leave-warning.ts'
import type { LanguageCode, TranslationMark } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { languageName, useMessages } from '../../messages.ts'
import { tagOf } from '../../site.ts'
import { HtmlField } from '../event/html-field.tsx'
import { useTranslationMessages } from './messages/messages.ts'
import { saveTranslation, type TranslatedRecord } from './save-translation.ts'

interface Props {
  readonly loaded: TranslatedRecord
  readonly target: LanguageCode
  /** Address of the next text to translate. */
  readonly next: string | undefined
  readonly onReload: () => void
}

const isTerm = ({ __typename }: TranslatedRecord): boolean => __typename === 'Category' || __typename === 'Tag'

const fieldsOf = (record: TranslatedRecord) =>
  isTerm(record) ? (['name', 'description'] as const) : (['name', 'excerpt', 'description'] as const)

/** The texts in one language beside those in another. */
export function TranslationForm({ loaded, target, next, onReload }: Props) {
  // What somebody else saves in the meantime is not in the form. So it is not the version that the form changes.
  const [record] = useState(loaded)
  const messages = useMessages()
  const texts = useTranslationMessages()
  const client = useClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const isOpen = useIsOpen()
  const sources = record.translations.map(({ language }) => language).filter((language) => language !== target)
  const [source, setSource] = useState(sources[0])
  const [problem, setProblem] = useState<{ readonly text: ProblemText; readonly isConflict: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const [isUnsaved, setUnsaved] = useState(false)
  useLeaveWarning(isUnsaved, messages.leave)
  const textsIn = (language: LanguageCode | undefined) =>
    record.translations.find((translation) => translation.language === language)
  const original = textsIn(source)
  const translation = textsIn(target)
  const fields = fieldsOf(record)
  const isDisabled = !record.viewerCanUpdate || isBusy

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const state = (submitter as HTMLButtonElement | null)?.value as TranslationMark
    const data = new FormData(event.currentTarget)
    const values = Object.fromEntries(
      fields
        .map((field): [typeof field, string] => [field, String(data.get(field) ?? '')])
        // An unchanged description is not sent: one that was stored as plain text would become HTML.
        .filter(([field, text]) => field !== 'description' || text !== (translation?.description ?? '')),
    )
    setBusy(true)
    const { userErrors, error } = await saveTranslation(client, record, { language: target, ...values, state })
    setBusy(false)
    const isConflict = userErrors?.some(({ code }) => code === 'CONFLICT') ?? false
    const text = isConflict ? texts.conflict : problemOf(userErrors, error, messages)
    setProblem(text === undefined ? undefined : { text, isConflict })
    if (text !== undefined) return
    setUnsaved(false)
    toast({ text: texts.saved(record.heading, languageName(tagOf(target))) })
    if (isOpen.current) navigate(next ?? `/translations?language=${tagOf(target)}`)
  }

  return (
    <form noValidate onSubmit={save} className="translation">
      {!record.viewerCanUpdate && <p className="notice">{texts.noRight}</p>}
      {problem && (
        <div className="notice error" role="alert">
          <p>{problem.text}</p>
          {problem.isConflict && <Button onClick={onReload}>{texts.load}</Button>}
        </div>
      )}
      {sources.length > 1 && (
        <Select label={texts.from} value={source} onChange={({ target }) => setSource(target.value as LanguageCode)}>
          {sources.map((language) => (
            <option key={language} value={language}>
              {languageName(tagOf(language))}
            </option>
          ))}
        </Select>
      )}
      <p className="soft">{texts.fallback}</p>
      {fields.map((field) => {
        const label = (language: LanguageCode) => texts.inLanguage(texts.fields[field], languageName(tagOf(language)))
        const originalText = original?.[field] ?? ''
        const control = {
          name: field,
          label: label(target),
          lang: tagOf(target),
          defaultValue: translation?.[field] ?? '',
          onChange: () => setUnsaved(true),
        }
        const placeholder = plainText(originalText)
        return (
          <div key={field} className="side-by-side">
            <div className="field">
              {source && <h2>{label(source)}</h2>}
              <p className="original" lang={source && tagOf(source)}>
                {field === 'description' ? plainText(originalText) : originalText}
              </p>
            </div>
            {field === 'description' && !isTerm(record) ? (
              <HtmlField {...control} isDisabled={isDisabled} />
            ) : field === 'name' ? (
              <TextField {...control} disabled={isDisabled} placeholder={placeholder} />
            ) : (
              <TextArea {...control} disabled={isDisabled} rows={3} placeholder={placeholder} />
            )}
          </div>
        )
      })}
      <div className="actions">
        <Button type="submit" look="primary" value={'CURRENT' satisfies TranslationMark} disabled={isDisabled}>
          {texts.save}
        </Button>
        <Button type="submit" value={'IN_REVIEW' satisfies TranslationMark} disabled={isDisabled}>
          {texts.review}
        </Button>
      </div>
    </form>
  )
}

/** The text of HTML, with its paragraphs. */
function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll('p, li, h2, h3, br')) block.append('\n')
  return body.textContent.trim()
}
