import { useEffect, useState } from 'react'
import { errorsOf, Field } from '../components/field.tsx'
import type { FormChoicesQuery, UserErrorPartsFragment } from '../gql/graphql.ts'
import { useMessages } from '../languages.ts'

interface Props {
  readonly errors: readonly UserErrorPartsFragment[]
}

export function TimeFields({ errors, timeZone }: Props & { readonly timeZone: string }) {
  const { form: texts } = useMessages()
  return (
    <>
      <div className="field-row">
        <Field name="startsLocal" label={texts.starts} errors={errors}>
          {(props) => <input {...props} type="datetime-local" />}
        </Field>
        <Field name="endsLocal" label={texts.ends} errors={errors}>
          {(props) => <input {...props} type="datetime-local" />}
        </Field>
      </div>
      <div className="field-row">
        <Field name="timeZone" label={texts.timeZone} errors={errors}>
          {(props) => (
            <input {...props} list="time-zones" defaultValue={timeZone} autoComplete="off" spellCheck={false} />
          )}
        </Field>
        <label className="check">
          <input type="checkbox" name="allDay" /> {texts.allDay}
        </label>
      </div>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

type Categories = FormChoicesQuery['categories']['nodes']

export function CategoryField({ errors, categories = [] }: Props & { readonly categories: Categories | undefined }) {
  const { form: texts } = useMessages()
  return (
    <fieldset className="field">
      <legend>{texts.categories}</legend>
      <div className="checks">
        {categories.map(({ id, name }) => (
          <label key={id} className="check">
            <input type="checkbox" name="categories" value={id} /> {name}
          </label>
        ))}
      </div>
      {errorsOf('categories', errors).map(({ message }) => (
        <p key={message} className="field-error">
          {message}
        </p>
      ))}
    </fieldset>
  )
}

/** A picture with a preview and the text that describes it. */
export function ImageFields({ errors }: Props) {
  const { form: texts } = useMessages()
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<string>()
  useEffect(() => {
    if (!file) return setPreview(undefined)
    const url = URL.createObjectURL(file)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <div className="image-fields">
      <Field name="file" label={texts.image} help={texts.imageHelp} errors={errors}>
        {(props) => (
          <input
            {...props}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
            onChange={(event) => setFile(event.target.files?.[0])}
          />
        )}
      </Field>
      {preview && <img src={preview} alt="" className="preview" />}
      {file && (
        <Field name="altText" label={texts.altText} help={texts.altTextHelp} errors={errors}>
          {(props) => <input {...props} autoComplete="off" />}
        </Field>
      )}
      {file && (
        <Field name="credit" label={texts.credit} errors={errors}>
          {(props) => <input {...props} autoComplete="off" />}
        </Field>
      )}
    </div>
  )
}
