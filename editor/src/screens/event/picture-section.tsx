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
import { PictureDialog } from './picture-dialog.tsx'
import { PartError, Section, type SectionProps } from './section.tsx'
import { readPicture } from './values.ts'

interface Props extends SectionProps {
  readonly isDecorative: boolean
  readonly onDecorative: (isDecorative: boolean) => void
}

export function PictureSection({ values: { image }, errors, isDisabled, onChange, isDecorative, onDecorative }: Props) {
  const { picture: texts } = useEventMessages()
  const [isChoosing, setChoosing] = useState(false)
  const canUpload = useRight('UPLOAD')
  return (
    <Section title={texts.section}>
      {image && (
        <div className="picture">
          <img src={image.thumbnail} alt={image.altText || image.title} />
          <div className="stack">
            <TextField
              label={texts.alt}
              help={image.canEdit ? texts.altHelp : texts.altOfOther}
              name="image"
              value={image.altText}
              error={errors.image}
              disabled={isDisabled || !image.canEdit}
              onChange={({ target }) => onChange({ image: { ...image, altText: target.value } })}
            />
            {image.canEdit && image.altText === '' && (
              <Checkbox
                label={texts.decorative}
                checked={isDecorative}
                disabled={isDisabled}
                onChange={({ target }) => onDecorative(target.checked)}
              />
            )}
            <div>
              <Button look="quiet" disabled={isDisabled} onClick={() => onChange({ image: null })}>
                {texts.remove}
              </Button>
            </div>
          </div>
        </div>
      )}
      {!image && <PartError error={errors.image} />}
      {!isDisabled && (
        <div className="actions">
          {canUpload && <UploadButton onUploaded={(picture) => onChange({ image: picture })} />}
          <Button onClick={() => setChoosing(true)}>{texts.library}</Button>
        </div>
      )}
      {isChoosing && (
        <PictureDialog
          onClose={() => setChoosing(false)}
          onChoose={(picture) => {
            setChoosing(false)
            onChange({ image: picture })
          }}
        />
      )}
    </Section>
  )
}

function UploadButton({ onUploaded }: { readonly onUploaded: (picture: ReturnType<typeof readPicture>) => void }) {
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
