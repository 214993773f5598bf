import { useEventMessages } from './messages/messages.ts'
import { PictureField } from './picture-field.tsx'
import { Section, type SectionProps } from './section.tsx'
import type { UploadState } from './use-upload.ts'

interface Props extends SectionProps {
  readonly onUpload: (state: UploadState) => void
}

export function PictureSection({ values: { image }, errors, isDisabled, onChange, onUpload }: Props) {
  const { picture: texts } = useEventMessages()
  return (
    <Section title={texts.section}>
      <PictureField
        value={image}
        error={errors.image}
        isDisabled={isDisabled}
        onChange={(image) => onChange({ image })}
        onUpload={onUpload}
      />
    </Section>
  )
}
