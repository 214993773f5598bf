import { useRef, useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { UpdateFormImageDocument, UploadFormImageDocument } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { CropButton } from '../pictures/crop-button.tsx'
import { useEventMessages } from './messages/messages.ts'
import { type Picture, readPicture } from './picture.ts'
import { PictureDialog } from './picture-dialog.tsx'
import { PartError } from './section.tsx'
import type { UploadState } from './use-upload.ts'
import './event.css'

interface Props {
  readonly value: Picture | null
  readonly error: ProblemText | undefined
  readonly isDisabled: boolean
  readonly onChange: (picture: Picture | null) => void
  readonly onUpload: (state: UploadState) => void
}

/** The picture of a record, with its alternative text. `savePicture` writes the text. */
export function PictureField({ value, error, isDisabled, onChange, onUpload }: Props) {
  const { picture: texts } = useEventMessages()
  const messages = useMessages()
  const client = useClient()
  const [isChoosing, setChoosing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ProblemText>()
  /** What was uploaded here, to crop it. */
  const [uploaded, setUploaded] = useState<{ readonly id: string; readonly file: File }>()
  const canUpload = useRight('UPLOAD')
  const latest = useRef(value)
  latest.current = value

  async function upload(file: File) {
    setBusy(true)
    onUpload('busy')
    const { data, error } = await client.mutation(UploadFormImageDocument, { input: { file } })
    setBusy(false)
    const image = data?.uploadImage?.image
    onUpload(image ? 'done' : 'failed')
    setProblem(problemOf(data?.uploadImage?.userErrors, error, messages))
    if (!image) return
    setUploaded({ id: image.id, file })
    onChange(readPicture(image))
  }

  /** The part takes the place of the file. What was typed meanwhile stays. */
  async function crop(id: string, file: File) {
    if (isBusy) return
    setBusy(true)
    const { data, error } = await client.mutation(UpdateFormImageDocument, { input: { id, file } })
    setBusy(false)
    const image = data?.updateImage?.image
    setProblem(problemOf(data?.updateImage?.userErrors, error, messages))
    const picture = latest.current
    if (image && picture?.id === image.id) onChange({ ...picture, thumbnail: readPicture(image).thumbnail })
  }

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
            <div className="actions">
              {uploaded?.id === value.id && (
                <CropButton
                  label={texts.crop}
                  file={uploaded.file}
                  isDisabled={isDisabled}
                  onCrop={(file) => crop(value.id, file)}
                />
              )}
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
          {canUpload && <FileButton label={texts.upload} isBusy={isBusy} onFiles={([file]) => file && upload(file)} />}
          <span role="status">{isBusy && texts.uploading}</span>
          {problem && (
            <p className="field-error" role="alert">
              {problem}
            </p>
          )}
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
