import { RadioGroup, TextArea, TextField } from '../../components/field.tsx'
import type { LanguageCode } from '../../gql/graphql.ts'
import { languageName } from '../../messages.ts'
import { contentLanguages, tagOf } from '../../site.ts'
import { useEventMessages } from './messages/messages.ts'
import { RichTextField } from './rich-text-field.tsx'
import { Section, type SectionProps } from './section.tsx'
import { fallbackOf, type TextKey, type TextField as TextName } from './values.ts'

interface Props extends SectionProps {
  readonly language: LanguageCode
}

interface SwitchProps extends Pick<Props, 'values' | 'language'> {
  readonly onLanguage: (language: LanguageCode) => void
}

/** Chooses the language of the texts, and says which ones have a title. */
export function LanguageSwitch({ values, language, onLanguage }: SwitchProps) {
  const { languages } = useEventMessages()
  if (contentLanguages.length < 2) return null
  const options = contentLanguages.map((value) => ({
    value,
    label: languageName(tagOf(value)),
    help: values[`title.${value}`] === '' ? languages.empty : languages.written,
  }))
  return <RadioGroup label={languages.label} look="switch" options={options} value={language} onChange={onLanguage} />
}

/** What a text field has in a language: its name, and what visitors see if it stays empty. */
function useTextField({ values, onChange, errors, language, isDisabled }: Props, field: TextName) {
  const { languages, texts } = useEventMessages()
  const key: TextKey = `${field}.${language}`
  const fallback = values[key] === '' ? fallbackOf(values, field, language) : undefined
  const label = texts[field]
  return {
    fallback,
    note: fallback && languages.fallback(languageName(tagOf(fallback.language))),
    control: {
      name: key,
      label: contentLanguages.length > 1 ? texts.inLanguage(label, languageName(tagOf(language))) : label,
      lang: tagOf(language),
      value: values[key],
      error: errors[key],
      disabled: isDisabled,
      onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange({ [key]: target.value }),
    },
  }
}

export function TitleField(props: Props) {
  const { control, fallback, note } = useTextField(props, 'title')
  return <TextField {...control} help={note} placeholder={fallback?.text} maxLength={500} autoComplete="off" />
}

export function TextSection(props: Props) {
  const { texts } = useEventMessages()
  const excerpt = useTextField(props, 'excerpt')
  const { control, fallback, note } = useTextField(props, 'description')
  const { label, lang, name, value, error, disabled } = control
  return (
    <Section title={texts.section}>
      <RichTextField
        key={name}
        {...{ label, lang, name, value, error }}
        isDisabled={disabled}
        onChange={(html) => props.onChange({ [name]: html })}
      />
      {fallback && (
        <div className="fallback">
          <p className="help">{note}</p>
          <p lang={tagOf(fallback.language)}>{plainText(fallback.text)}</p>
        </div>
      )}
      <TextArea
        {...excerpt.control}
        rows={3}
        help={excerpt.note ?? texts.excerptHelp}
        placeholder={excerpt.fallback?.text}
      />
    </Section>
  )
}

const plainText = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent?.slice(0, 300) ?? ''
