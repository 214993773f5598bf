import { useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { UploadFormImageDocument } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { useEventMessages } from './messages/messages.ts'
import { type Picture, readPicture } from './picture.ts'
import { PictureDialog } from './picture-dialog.tsx'
import { PartError } from './section.tsx'
import './event.css'

interface Props {
  readonly value: Picture | null
  readonly error: string | undefined
  readonly isDisabled: boolean
  readonly onChange: (picture: Picture | null) => void
}

/** The picture of a record, with its alternative text. `savePicture` writes the text. */
export function PictureField({ value, error, isDisabled, onChange }: Props) {
  const { picture: texts } = useEventMessages()
  const [isChoosing, setChoosing] = useState(false)
  const canUpload = useRight('UPLOAD')
  return (
    <>
      {value && (
        <div className="picture">
          <img src={value.thumbnail} alt={value.altText || value.title} />
          <div className="stack">
            <TextField
              label={texts.alt}
              help={value.canEdit ? texts.altHelp : texts.altOfOther}
              name="image"
              value={value.altText}
              error={error}
              disabled={isDisabled || !value.canEdit}
              onChange={({ target }) => onChange({ ...value, altText: target.value, decorative: false })}
            />
            {value.canEdit && value.altText === '' && (
              <Checkbox
                label={texts.decorative}
                checked={value.decorative}
                disabled={isDisabled}
                onChange={({ target }) => onChange({ ...value, decorative: target.checked })}
              />
            )}
            <div>
              <Button look="quiet" disabled={isDisabled} onClick={() => onChange(null)}>
                {texts.remove}
              </Button>
            </div>
          </div>
        </div>
      )}
      {!value && <PartError error={error} />}
      {!isDisabled && (
        <div className="actions">
          {canUpload && <UploadButton onUploaded={onChange} />}
          <Button onClick={() => setChoosing(true)}>{texts.library}</Button>
        </div>
      )}
      {isChoosing && (
        <PictureDialog
          onClose={() => setChoosing(false)}
          onChoose={(picture) => {
            setChoosing(false)
            onChange(picture)
          }}
        />
      )}
    </>
  )
}

function UploadButton({ onUploaded }: { readonly onUploaded: (picture: Picture) => void }) {
  const messages = useMessages()
  const { picture: texts } = useEventMessages()
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function upload(file: File) {
    setBusy(true)
    const { data, error } = await client.mutation(UploadFormImageDocument, { input: { file } })
    setBusy(false)
    setProblem(problemOf(data?.uploadImage?.userErrors, error, messages))
    if (data?.uploadImage?.image) onUploaded(readPicture(data.uploadImage.image))
  }
  return (
    <>
      <FileButton label={texts.upload} isDisabled={isBusy} onFiles={([file]) => file && upload(file)} />
      <span role="status">{isBusy && texts.uploading}</span>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
