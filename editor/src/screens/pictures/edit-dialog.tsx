import { type FormEvent, useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox, RadioGroup, TextField } from '../../components/field.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFileUrl } from '../../components/use-file-url.ts'
import { ChangePictureDocument, type LanguageCode, type PictureRowFragment } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { languageName, useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { contentLanguage, contentLanguages, tagOf } from '../../site.ts'
import { CropButton } from './crop-button.tsx'
import { usePictureMessages } from './messages/messages.ts'

const fields = ['altText', 'caption', 'credit'] as const
type Texts = Readonly<Record<(typeof fields)[number], string>>

interface Props {
  readonly picture: PictureRowFragment
  readonly onClose: () => void
}

/** The texts of a picture in each language, and its file. */
export function EditDialog({ picture, onClose }: Props) {
  const messages = useMessages()
  const texts = usePictureMessages()
  const client = useClient()
  const toast = useToast()
  const canUpload = useRight('UPLOAD')
  const [language, setLanguage] = useState(contentLanguage)
  const [values, setValues] = useState(() => readTexts(picture))
  const [decorative, setDecorative] = useState(picture.decorative)
  const [file, setFile] = useState<File>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ProblemText>()
  const preview = useFileUrl(file)
  const labels = { altText: texts.alt, caption: texts.caption, credit: texts.credit }
  const shown = values[language]

  async function save(event: FormEvent) {
    event.preventDefault()
    const before = readTexts(picture)
    const changed = (code: LanguageCode) =>
      Object.fromEntries(
        fields
          .filter((field) => values[code]?.[field] !== before[code]?.[field])
          .map((field) => [field, values[code]?.[field].trim() || null]),
      )
    const translations = contentLanguages
      .filter((code) => code !== contentLanguage && Object.keys(changed(code)).length > 0)
      .map((code) => ({ language: code, ...changed(code) }))
    setBusy(true)
    const { data, error } = await client.mutation(ChangePictureDocument, {
      input: {
        ...{ id: picture.id, ifUnmodifiedSince: picture.modifiedAt, ...changed(contentLanguage), decorative },
        ...(translations.length > 0 && { translations }),
        ...(file && { file }),
      },
    })
    setBusy(false)
    const refused = problemOf(data?.updateImage?.userErrors, error, messages)
    setProblem(refused)
    if (refused !== undefined) return
    toast({ text: file ? texts.replaced : texts.saved })
    onClose()
  }

  return (
    <Dialog title={texts.editTitle(picture.title)} onClose={onClose}>
      <div className="picture-file">
        <img src={preview ?? picture.url} alt={file ? file.name : picture.altText} />
        {canUpload && (
          <div className="actions">
            <FileButton label={texts.replace} isBusy={isBusy} onFiles={([chosen]) => setFile(chosen)} />
            {file && <CropButton label={texts.crop.action} file={file} isDisabled={isBusy} onCrop={setFile} />}
          </div>
        )}
        {file && <p role="status">{texts.replaceHelp}</p>}
      </div>
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <form className="stack" onSubmit={save}>
        <Checkbox
          label={texts.decorative}
          checked={decorative}
          onChange={({ target }) => setDecorative(target.checked)}
        />
        {contentLanguages.length > 1 && (
          <RadioGroup
            label={messages.language}
            look="switch"
            options={contentLanguages.map((code) => ({ value: code, label: languageName(tagOf(code)) }))}
            value={language}
            onChange={setLanguage}
          />
        )}
        {fields.map((field) => (
          <TextField
            key={field}
            label={
              contentLanguages.length > 1
                ? texts.inLanguage(labels[field], languageName(tagOf(language)))
                : labels[field]
            }
            help={field === 'altText' ? texts.altHelp : undefined}
            disabled={field === 'altText' && decorative}
            lang={tagOf(language)}
            value={shown?.[field] ?? ''}
            onChange={({ target }) =>
              setValues({ ...values, [language]: { ...emptyTexts, ...shown, [field]: target.value } })
            }
          />
        ))}
        <div className="actions">
          <Button type="submit" look="primary" disabled={isBusy}>
            {messages.save}
          </Button>
          <Button onClick={onClose}>{messages.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

const emptyTexts: Texts = { altText: '', caption: '', credit: '' }

const readTexts = ({ translations }: PictureRowFragment): Partial<Record<LanguageCode, Texts>> =>
  Object.fromEntries(
    translations.map(({ language, altText, caption, credit }) => [
      language,
      { altText: altText ?? '', caption: caption ?? '', credit: credit ?? '' },
    ]),
  )
